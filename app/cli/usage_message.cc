#include "app/cli/usage_message.hh"

#include <CLI/CLI.hpp>
#include <set>

#include "base/error_message.hh"
#include "base/nearest.hh"
#include "reports/text/text.hh"

namespace tcplab::app {

namespace {

std::string unknown_command(const CLI::App& app, const std::string& word) {
  std::set<std::string> known;
  for (const CLI::App* command : app.get_subcommands({})) known.insert(command->get_name());
  return "unknown command \"" + word + "\"" + base::probable_words(known, word);
}

std::string unknown_word(const CLI::App& command, const std::string& word) {
  if (!word.starts_with("-")) return "unexpected argument \"" + word + "\"";
  std::set<std::string> known;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) known.insert("--" + name);
  return "unknown option " + word + base::probable_words(known, word);
}

/// CLI11's own words, where they need some help.
std::string message_of(const CLI::ParseError& error) {
  std::string text = error.what();
  const auto colon = text.find(':');
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr && text.ends_with(" missing") &&
      colon != std::string::npos)
    return text.substr(0, colon) + " needs a value";
  const std::string excludes = " excludes ";
  if (const auto found = text.find(excludes); found != std::string::npos)
    return text.substr(0, found) + " cannot be combined with " +
           text.substr(found + excludes.size());
  return text;
}

}  // namespace

std::string usage_message(const CLI::App& app, const CLI::ParseError& error,
                          const std::vector<std::string>& arguments) {
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  const bool is_unknown = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
  if (chosen.empty()) {
    const std::string first = arguments.empty() ? "" : arguments.front();
    const std::string what = first.empty()            ? "no command given"
                             : first.starts_with("-") ? unknown_word(app, first)
                                                      : unknown_command(app, first);
    return what + "; see: tcplab --help";
  }
  const CLI::App& command = *chosen.front();
  const std::vector<std::string> rest = app.remaining(true);
  const std::string what =
      is_unknown && !rest.empty() ? unknown_word(command, rest.front()) : message_of(error);
  return command.get_name() + ": " + what + "; see: tcplab " + command.get_name() + " --help";
}

std::string error_message(const std::exception& error) {
  return reports::message(base::message_of(error));
}

}  // namespace tcplab::app
