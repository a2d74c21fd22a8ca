#include "app/cli/conform_options.hh"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

#include "app/audit/duration.hh"
#include "app/cli/option_checks.hh"
#include "base/error.hh"
#include "base/nearest.hh"
#include "base/output_file.hh"
#include "base/shell_word.hh"
#include "base/split.hh"

namespace tcplab::app {

namespace fs = std::filesystem;

namespace {

bool is_executable(const fs::path& file) {
  std::error_code error;
  return fs::is_regular_file(file, error) && ::access(file.c_str(), X_OK) == 0;
}

/// Looks where sh(1) looks.
bool is_program(const std::string& word) {
  if (word.find('/') != std::string::npos) return is_executable(word);
  const char* path = std::getenv("PATH");
  for (const std::string& folder : base::split(path == nullptr ? "" : path, ':'))
    if (is_executable(fs::path(folder) / word)) return true;
  return false;
}

/// One word with a blank is a command for sh(1). Several words are a program and its arguments.
std::string command_of(const std::vector<std::string>& words) {
  if (words.size() == 1) return words.front();
  std::string command;
  for (const std::string& word : words)
    command += (command.empty() ? "" : " ") + base::shell_word(word);
  return command;
}

bool is_named(const std::string& word) { return word == kLinuxStack || lab::is_known_stack(word); }

/// Throws if a command begins with a word that is no program: it is probably misspelled.
void require_program(const std::vector<std::string>& words,
                     const RequirementCatalogue& requirements) {
  const std::string& first = words.front();
  if (requirements.is_id(first))
    throw base::UsageError("name a stack before " + first + ": tcplab conform linux " + first);
  const bool is_shell = words.size() == 1 && first.find_first_of(" =;&|<>$(){}") != first.npos;
  if (is_shell || is_program(first)) return;
  std::set<std::string> known = {kLinuxStack};
  for (const lab::KnownStack& stack : lab::known_stacks()) known.insert(stack.name);
  throw base::UsageError("no stack and no program is called \"" + first + "\"" +
                         base::probable_words(known, first) + " (stacks: linux, " +
                         lab::known_stack_names() + ", or -- COMMAND)");
}

TestedStack named_stack(const std::string& name, const ConformOptions& options) {
  if (name == kLinuxStack) return {.name = name};
  TestedStack stack{.name = name, .choice = lab::choose_stack(name)};
  if (!options.boot.empty()) stack.choice->boot = *parse_duration(options.boot);
  return stack;
}

/// Never the name of another stack, which may be the second column.
TestedStack command_stack(const ConformOptions& options) {
  TestedStack stack = named_stack(command_of(options.words), options);
  stack.name = stack.choice->name;
  // The name becomes that of a folder.
  if (stack.name.empty() || stack.name.starts_with('.') || is_named(stack.name))
    stack.name = "stack";
  return stack;
}

reports::SavedColumn read_saved(const std::string& file) {
  std::ifstream stream(file);
  std::ostringstream text;
  text << stream.rdbuf();
  if (!stream)
    throw base::UsageError("--against " + file + ": no such stack, and no file that can be read");
  return reports::column_of_json(text.str(), file);
}

std::vector<base::Family> families_of(const std::string& family) {
  if (family == "4") return {base::Family::ipv4};
  if (family == "6") return {base::Family::ipv6};
  return {base::Family::ipv4, base::Family::ipv6};
}

}  // namespace

void ConformOptions::check_documents() const {
  base::require_documents({json, junit, markdown});
  if (!html.empty() && fs::exists(html) && !fs::is_directory(html))
    throw base::UsageError("--html " + html + ": not a folder; name another place");
  base::require_output_folder(html);
  base::require_output_folder(out);
}

void add_conform_options(CLI::App& command, ConformOptions& options) {
  command.add_option("STACK", options.words,
                     "linux, a stack of tcplab stacks, or after -- the command of yours. After a "
                     "name: the requirements to test, by id or scenario (default all)");
  const auto add = [&](const std::string& name, std::string& value, const char* type,
                       const std::string& what, const char* group) {
    return command.add_option(name, value, what)
        ->option_text(type)
        ->group(group)
        ->check(not_empty());
  };
  command.add_option("--only", options.only, "Test only this requirement; repeatable")
      ->option_text("ID")
      ->group("Selection")
      ->allow_extra_args(false)
      ->check(not_empty());
  command.add_option("--except", options.except, "Leave out this requirement; repeatable")
      ->option_text("ID")
      ->group("Selection")
      ->allow_extra_args(false)
      ->check(not_empty());
  command.add_flag("--list", options.list, "List the requirements, and why some are not tested")
      ->group("Selection");
  command.add_option("--family", options.family, "Choose the Internet Protocol")
      ->option_text("4|6|both")
      ->group("Selection")
      ->check(one_of({"4", "6", "both"}))
      ->capture_default_str();
  add("--requirements", options.folder, "DIR",
      "Read the scenarios of this folder instead of tcplab's", "Selection");
  add("--against", options.against, "STACK|FILE",
      "Compare with another stack, or with the file of an earlier --json", "Execution");
  command.add_option("-j,--jobs", options.jobs, "Run at most N scenarios at once")
      ->option_text("N")
      ->group("Execution")
      ->check(in_range(1, 1024))
      ->capture_default_str();
  command.add_option("--boot", options.boot, "Let the stack take this long until it is ready")
      ->option_text("TIME")
      ->group("Execution")
      ->check(a_duration());
  add("--json", options.json, "FILE", "Write the table as JSON, for --against", "Results");
  add("--markdown", options.markdown, "FILE", "Write the table as Markdown", "Results");
  add("--junit", options.junit, "FILE", "Write the verdicts as JUnit XML", "Results");
  add("--html", options.html, "DIR", "Write the table as a web page, and a page for each run",
      "Results");
  add("--out", options.out, "DIR", "Write the folder of each run into DIR/STACK", "Results")
      ->capture_default_str();
}

ConformTask task_of(const ConformOptions& options) {
  const RequirementCatalogue requirements(
      options.folder.empty() ? RequirementCatalogue::default_folder() : fs::path(options.folder));
  if (options.words.empty())
    throw base::UsageError(
        "name a stack: tcplab conform linux, tcplab conform lwip, or tcplab "
        "conform -- ./my-stack");
  ConformTask task{
      .order = {.families = families_of(options.family), .jobs = options.jobs, .out = options.out}};
  std::vector<std::string> wanted = options.only;
  if (is_named(options.words.front())) {
    wanted.insert(wanted.end(), options.words.begin() + 1, options.words.end());
    task.order.stacks.push_back(named_stack(options.words.front(), options));
    if (options.words.front() == kLinuxStack && !options.boot.empty())
      throw base::UsageError("--boot " + options.boot +
                             ": linux is this kernel, which does not boot");
  } else {
    require_program(options.words, requirements);
    task.order.stacks.push_back(command_stack(options));
  }
  task.order.scenarios = requirements.select(wanted, options.except);
  if (options.against == task.order.stacks.front().name)
    throw base::UsageError("--against " + options.against + ": it is the tested stack");
  if (is_named(options.against))
    task.order.stacks.push_back(named_stack(options.against, options));
  else if (!options.against.empty())
    task.saved = read_saved(options.against);
  return task;
}

}  // namespace tcplab::app
