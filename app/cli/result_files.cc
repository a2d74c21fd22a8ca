#include "app/cli/result_files.hh"

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <iostream>

#include "app/cli/option_checks.hh"
#include "app/cli/workflow_commands.hh"
#include "base/error.hh"
#include "base/output_file.hh"
#include "reports/suite/github.hh"
#include "reports/suite/json_summary.hh"
#include "reports/suite/junit.hh"
#include "reports/suite/markdown.hh"
#include "reports/suite/tap.hh"

namespace tcplab::app {

namespace {

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

void write_documents(const ResultFiles& files, const reports::SuiteRecord& suite) {
  const WorkflowCommandsOff off(files.github && files.own_stdout(), std::cerr);
  base::write_document(files.junit, reports::junit_xml(suite));
  base::write_document(files.tap, reports::tap(suite));
  base::write_document(files.markdown, reports::markdown_summary(suite));
  base::write_document(files.results, reports::json_summary(suite));
  if (files.json && files.results != "-") base::write_document("-", reports::json_summary(suite));
}

}  // namespace

void add_result_options(CLI::App& command, ResultFiles& files, const std::string& group) {
  const auto add = [&](const std::string& name, std::string& file, const std::string& what) {
    command.add_option(name, file, what)->option_text("FILE")->group(group)->check(not_empty());
  };
  add("--junit", files.junit, "Write the results as JUnit XML");
  add("--tap", files.tap, "Write the results as TAP, the Test Anything Protocol");
  add("--markdown", files.markdown, "Write the results as Markdown, for the page of a CI job");
  add("--results", files.results, "Write the results as JSON, for tcplab merge");
  command.add_flag("--json", files.json, "Print the results as JSON, like --results -")
      ->group(group);
  files.github = environment("GITHUB_ACTIONS") == "true";
  command
      .add_flag("--github,!--no-github", files.github,
                "Print failures as GitHub annotations (default: if GITHUB_ACTIONS is true)")
      ->group(group);
}

void check(const ResultFiles& files) {
  int documents = files.json && files.results != "-" ? 1 : 0;
  if (files.stdout_taken) ++documents;
  base::require_documents({files.junit, files.tap, files.markdown, files.results}, documents);
}

std::ostream& output_for_people(const ResultFiles& files) {
  return files.own_stdout() ? std::cerr : std::cout;
}

void write(const ResultFiles& files, const reports::SuiteRecord& suite) {
  write_documents(files, suite);
  if (!files.github) return;
  // GitHub's runner reads both streams, and hides these lines.
  output_for_people(files) << reports::github_annotations(suite, environment("GITHUB_WORKSPACE"))
                           << std::flush;
}

}  // namespace tcplab::app
