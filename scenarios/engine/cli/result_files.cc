#include "scenarios/engine/cli/result_files.hh"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "base/error.hh"
#include "reports/suite/github.hh"
#include "reports/suite/json_summary.hh"
#include "reports/suite/junit.hh"
#include "reports/suite/markdown.hh"
#include "reports/suite/tap.hh"
#include "scenarios/engine/cli/command_line.hh"

namespace tcplab::engine {

namespace {

/// "-" is standard output.
void put(const std::string& file, const std::string& text) {
  if (file.empty()) return;
  if (file == "-") {
    std::cout << text << std::flush;
    return;
  }
  std::ofstream out(file);
  out << text;
  out.close();
  if (!out) throw base::SystemError("write " + file, errno);
}

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// Appending nothing leaves a file that is there as it is, and tells whether it can be written.
void require_writable(const std::string& file) {
  if (file.empty() || file == "-") return;
  if (!std::ofstream(file, std::ios::app))
    throw base::UsageError("cannot write " + file + ": " + strerrordesc_np(errno));
}

}  // namespace

void add_result_options(CommandLine& command, ResultFiles& files) {
  const auto add = [&command](const std::string& name, std::string& file, const std::string& what) {
    command.add_option(name, file, what + "; - is standard output")
        .type_name("FILE")
        .check(not_empty());
  };
  add("--junit", files.junit, "writes the results as JUnit XML");
  add("--tap", files.tap, "writes the results as TAP, the Test Anything Protocol");
  add("--markdown", files.markdown, "writes the results as Markdown, for a CI job's page");
  add("--results", files.results, "writes the results as JSON, for tcplab merge");
  command.add_flag("--json", files.json, "prints the results as JSON: --results -");
  files.github = environment("GITHUB_ACTIONS") == "true";
  command.add_flag("--github,!--no-github", files.github,
                   "annotates failures for GitHub; by default where GITHUB_ACTIONS is true");
}

void check(const ResultFiles& files) {
  int documents = files.json && files.results != "-" ? 1 : 0;
  if (files.stdout_taken) ++documents;
  for (const std::string& file : {files.junit, files.tap, files.markdown, files.results}) {
    if (file == "-") ++documents;
    require_writable(file);
  }
  if (documents > 1)
    throw base::UsageError("two documents for standard output: give one of them a file's name");
}

void write(const ResultFiles& files, const reports::SuiteRecord& suite) {
  put(files.junit, reports::junit_xml(suite));
  put(files.tap, reports::tap(suite));
  put(files.markdown, reports::markdown_summary(suite));
  put(files.results, reports::json_summary(suite));
  if (files.json && files.results != "-") put("-", reports::json_summary(suite));
  if (!files.github) return;
  // The runner reads both streams, and takes these lines out of what it shows.
  (files.own_stdout() ? std::cerr : std::cout)
      << reports::github_annotations(suite, environment("GITHUB_WORKSPACE")) << std::flush;
}

}  // namespace tcplab::engine
