// The options of `tcplab conform`, and what its words mean.
#pragma once

#include <string>
#include <vector>

#include "app/conform/conform_run.hh"
#include "app/conform/requirement_catalogue.hh"

namespace CLI {
class App;
}  // namespace CLI

namespace tcplab::app {

struct ConformOptions {
  std::vector<std::string> words{};  // a stack and requirements, or the command of a stack
  std::vector<std::string> only{};
  std::vector<std::string> except{};
  std::string against{};
  std::string folder{};  // of the scenarios; empty: tcplab's own
  std::string family = "both";
  std::string boot{};
  std::size_t jobs = 16;
  std::string out = "conform";
  std::string html{};
  std::string json{};
  std::string junit{};
  std::string markdown{};
  bool list = false;

  /// Returns whether a document goes to standard output. Then text for people goes to standard
  /// error.
  bool own_stdout() const { return json == "-" || junit == "-" || markdown == "-"; }
  /// Throws base::UsageError if two documents want standard output, or if one cannot be written.
  void check_documents() const;
};

void add_conform_options(CLI::App& command, ConformOptions& options);

/// What to run, and the earlier result to compare it with.
struct ConformTask {
  ConformOrder order{};
  std::optional<reports::SavedColumn> saved{};
};

/// Throws base::UsageError for an unknown stack or requirement, a stack that is not built, or an
/// earlier result that cannot be read.
ConformTask task_of(const ConformOptions& options);

}  // namespace tcplab::app
