#include "scenarios/engine/cli/command_line.hh"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <limits>

namespace tcplab::engine {

namespace {

ValueCheck of_validator(const CLI::Validator& validator) {
  return [validator](const std::string& value) { return validator(value); };
}

}  // namespace

CommandOption CommandOption::required() { return CommandOption(option_->required()); }

CommandOption CommandOption::check(const ValueCheck& check) {
  return CommandOption(option_->check(CLI::Validator(check, "")));
}

CommandOption CommandOption::needs(CommandOption other) {
  return CommandOption(option_->needs(other.option_));
}

CommandOption CommandOption::excludes(CommandOption other) {
  return CommandOption(option_->excludes(other.option_));
}

CommandOption CommandOption::group(const std::string& name) {
  return CommandOption(option_->group(name));
}

CommandOption CommandOption::option_text(const std::string& text) {
  return CommandOption(option_->option_text(text));
}

CommandOption CommandOption::capture_default_str() {
  return CommandOption(option_->capture_default_str());
}

CommandOption CommandOption::allow_extra_args(bool value) {
  return CommandOption(option_->allow_extra_args(value));
}

CommandOption CommandOption::each(const std::function<void(const std::string& value)>& use) {
  return CommandOption(option_->each(use));
}

CommandLine CommandLine::add_subcommand(const std::string& name, const std::string& help) {
  return CommandLine(app_->add_subcommand(name, help));
}

CommandOption CommandLine::add_option(const std::string& names, std::string& into,
                                      const std::string& help) {
  return CommandOption(app_->add_option(names, into, help));
}

CommandOption CommandLine::add_option(const std::string& names, std::optional<std::string>& into,
                                      const std::string& help) {
  return CommandOption(app_->add_option(names, into, help));
}

CommandOption CommandLine::add_option(const std::string& names, std::vector<std::string>& into,
                                      const std::string& help) {
  return CommandOption(app_->add_option(names, into, help));
}

CommandOption CommandLine::add_option(const std::string& names, int& into,
                                      const std::string& help) {
  return CommandOption(app_->add_option(names, into, help));
}

CommandOption CommandLine::add_option(const std::string& names, std::uint64_t& into,
                                      const std::string& help) {
  return CommandOption(app_->add_option(names, into, help));
}

CommandOption CommandLine::add_option(const std::string& names, std::optional<std::uint64_t>& into,
                                      const std::string& help) {
  return CommandOption(app_->add_option(names, into, help));
}

CommandOption CommandLine::add_flag(const std::string& names, bool& into, const std::string& help) {
  return CommandOption(app_->add_flag(names, into, help));
}

CommandLine CommandLine::group(const std::string& name) { return CommandLine(app_->group(name)); }

CommandLine CommandLine::footer(const std::string& text) { return CommandLine(app_->footer(text)); }

CommandLine CommandLine::callback(const std::function<void()>& chosen) {
  return CommandLine(app_->callback(chosen));
}

ValueCheck not_empty() {
  return
      [](const std::string& value) { return value.empty() ? "the value is empty" : std::string(); };
}

ValueCheck at_least(std::uint64_t least) {
  return [least](const std::string& text) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool whole = error == std::errc{} && end == text.data() + text.size();
    if (whole && value >= least) return std::string();
    return fmt::format("\"{}\" is not a whole number from {} to {}", text, least,
                       std::numeric_limits<std::uint64_t>::max());
  };
}

ValueCheck in_range(std::int64_t least, std::int64_t most) {
  return of_validator(CLI::Range(least, most));
}

ValueCheck one_of(std::initializer_list<std::string> values) {
  return [known = std::vector<std::string>(values)](const std::string& value) {
    if (std::ranges::find(known, value) != known.end()) return std::string();
    return fmt::format("\"{}\" is not one of {}", value, fmt::join(known, ", "));
  };
}

}  // namespace tcplab::engine
