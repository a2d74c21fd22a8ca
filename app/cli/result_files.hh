// Writes the results of a suite to files; `run` and `merge` share these options.
#pragma once

#include <ostream>
#include <string>

#include "reports/suite/suite_record.hh"

namespace CLI {
class App;
}  // namespace CLI

namespace tcplab::app {

struct ResultFiles {
  std::string junit{};
  std::string tap{};
  std::string results{};
  std::string markdown{};
  bool stdout_taken = false;  // another option writes to standard output
  bool json = false;
  bool github = false;

  /// Returns whether a document goes to standard output. Then text for people goes to standard
  /// error.
  bool own_stdout() const {
    return stdout_taken || json || markdown == "-" || tap == "-" || junit == "-" || results == "-";
  }
};

/// The footer for a help page with these options.
inline constexpr const char* kFileHelp = "If FILE is -, it means standard output.";

/// Adds the options to a group of the help page.
void add_result_options(CLI::App& command, ResultFiles& files, const std::string& group);

/// Returns standard output, or standard error if a document goes to standard output.
std::ostream& output_for_people(const ResultFiles& files);

/// Throws base::UsageError if two documents want standard output, or if a file cannot be written.
/// Call it before the runs.
void check(const ResultFiles& files);

/// Writes the files. Throws base::LabError with the name of a file that cannot be written.
void write(const ResultFiles& files, const reports::SuiteRecord& suite);

}  // namespace tcplab::app
