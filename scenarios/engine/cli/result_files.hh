// Where the results of a suite go, beside the terminal: the options that `run` and `merge` share.
#pragma once

#include <string>

#include "reports/suite/suite_record.hh"

namespace tcplab::engine {

class CommandLine;

struct ResultFiles {
  std::string junit{};
  std::string tap{};
  std::string results{};
  std::string markdown{};
  bool stdout_taken = false;  // by something else than one of these
  bool json = false;
  bool github = false;

  /// Standard output is a document's: what is for people goes to standard error.
  bool own_stdout() const {
    return stdout_taken || json || markdown == "-" || tap == "-" || junit == "-" || results == "-";
  }
};

void add_result_options(CommandLine& command, ResultFiles& files);

/// Throws base::UsageError where two documents want standard output, and where a file cannot be
/// written that has been asked for: before the runs, not after.
void check(const ResultFiles& files);

/// Throws base::LabError, naming the file that cannot be written.
void write(const ResultFiles& files, const reports::SuiteRecord& suite);

}  // namespace tcplab::engine
