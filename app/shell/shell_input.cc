// The shell's input: commands that are not Lua, completion, attached programs, saving.
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>

#include "app/shell/completion.hh"
#include "app/shell/shell.hh"
#include "base/error.hh"
#include "base/output_file.hh"
#include "reports/text/text.hh"

namespace tcplab::app {

using nlohmann::json;

namespace {

constexpr const char* kSavedBegins = "-- Typed into tcplab shell.";
constexpr const char* kLeave = "\x1d";  // Ctrl-]; without a terminal, a line with only this

bool may_write(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::string first;
  return !std::getline(in, first) || first.starts_with(kSavedBegins);
}

}  // namespace

void Shell::take_typed(const std::string& line) {
  if (!line.empty()) {
    editor_->remember(line);
    history_.add(line);
  }
  take_line(line);
}

void Shell::take_line(const std::string& line) {
  if (!attached_.empty()) {
    if (line == kLeave) return detach();
    return submit(attached_ + ":type " + lua_quoted(line + "\n"));
  }
  if (pending_.empty()) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) return next();
    if (const auto command = shell_command(line)) {
      try {
        return do_command(*command);
      } catch (const base::UsageError& error) {
        ++failures_;
        screen_.say(std::string("✗ ") + error.what(), reports::Paint::bad);
        return next();
      }
    }
  }
  pending_ += line + "\n";
  std::string text = pending_;
  while (text.ends_with('\n')) text.pop_back();
  submit(text);
}

void Shell::do_command(const ShellCommand& command) {
  if (command.word == "quit" || command.word == "exit") return quit();
  if (command.word == "states") {
    turn_.is_running = turn_.asks_states = true;
    return process_.say("states", std::to_string(options_.style.width));
  }
  if (command.word == "help") screen_.raw(shell_help(options_.style.width));
  if (command.word == "attach") attach(command.argument);
  if (command.word == "save") save(command.argument);
  next();
}

void Shell::attach(const std::string& name) {
  std::string programs;
  for (const auto& [known, subject] : names_)
    if (subject.find('/') != std::string::npos) programs += (programs.empty() ? "" : ", ") + known;
  const auto found = names_.find(name);
  if (found == names_.end() || found->second.find('/') == std::string::npos)
    throw base::UsageError(
        "attach needs the name of a program" +
        (programs.empty() ? "; start one: x = kang:dnc(kodos, 8080)" : ": " + programs));
  attached_ = name;
  screen_.say("Your input now goes to " + name + " (" + found->second +
                  "). Ctrl-] returns, Ctrl-D ends its input, Ctrl-C sends SIGINT.",
              reports::Paint::dim);
  screen_.attach(found->second);
}

void Shell::detach() {
  if (attached_.empty()) return;
  attached_.clear();
  if (editor_) editor_->pause("");
  screen_.detach(time_.now());
  prompt();
}

void Shell::save(const std::string& argument) {
  std::filesystem::path file = argument;
  if (argument.empty()) throw base::UsageError("save needs a file name: save my-experiment.lua");
  if (file.extension() != ".lua") file += ".lua";
  if (!may_write(file))
    throw base::UsageError(file.string() +
                           " exists, and was not saved by tcplab shell; choose another name");
  base::write_document(file.string(), record_.scenario(file.stem().string()));
  const Script saved(file.string());  // throws if the script is not valid
  const std::string name = file.has_parent_path() ? file.string() : "./" + file.string();
  screen_.say(fmt::format("saved {} line{}; to run them: tcplab run {}", record_.done(),
                          record_.done() == 1 ? "" : "s", name),
              reports::Paint::good);
}

void Shell::complete(const std::string& before) {
  if (attached_.empty()) process_.say("complete", before);
}

/// Takes the reply to complete(). Ignores it if the line has changed since.
void Shell::take_completions(const json& said) {
  const std::string before = said.at("before");
  if (!editor_ || !editor_->is_editing() || editor_->before_cursor() != before) return;
  std::string prefix = said.at("prefix");
  std::vector<std::string> words = said.at("words");
  if (before == prefix)
    for (const std::string& word : shell_words())
      if (word.starts_with(prefix)) words.push_back(word + " ");
  const std::string attach = "attach ";
  if (before.starts_with(attach)) {
    words.clear();
    for (const auto& [name, subject] : names_)
      if (subject.find('/') != std::string::npos && name.starts_with(prefix)) words.push_back(name);
  }
  std::ranges::sort(words);
  const std::string more = common_beginning(words);
  if (more.size() > prefix.size()) return editor_->insert(more.substr(prefix.size()));
  if (words.size() > 1)
    screen_.raw(in_columns(words, static_cast<std::size_t>(options_.style.width)));
}

}  // namespace tcplab::app
