// Adds commands and options to the command line. It has those parts of CLI11 that the commands use:
// CLI11 takes 3 s of compile time in each file that includes it, so only a few files do.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace tcplab::engine {

/// Checks a value: returns what is wrong with it, or an empty text.
using ValueCheck = std::function<std::string(const std::string& value)>;

/// An option or argument, named after the methods of CLI::Option. It belongs to the CLI::App.
class CommandOption {
public:
  explicit CommandOption(CLI::Option* option) : option_(option) {}

  CommandOption required();
  CommandOption check(const ValueCheck& check);
  CommandOption needs(CommandOption other);
  CommandOption excludes(CommandOption other);
  CommandOption group(const std::string& name);
  /// Sets what the help shows after the name, as FILE.
  CommandOption option_text(const std::string& text);
  /// Sets the type that the help shows after the name.
  /// Shows the variable's value in the help, as the default.
  CommandOption capture_default_str();
  /// Allows several values after the name, or only one.
  CommandOption allow_extra_args(bool value);
  /// Calls `use` with each value.
  CommandOption each(const std::function<void(const std::string& value)>& use);

private:
  CLI::Option* option_;
};

/// A command, named after the methods of CLI::App. The variables of options must live until the
/// command line is parsed.
class CommandLine {
public:
  explicit CommandLine(CLI::App* app) : app_(app) {}

  CommandLine add_subcommand(const std::string& name, const std::string& help);
  CommandOption add_option(const std::string& names, std::string& into, const std::string& help);
  CommandOption add_option(const std::string& names, std::optional<std::string>& into,
                           const std::string& help);
  CommandOption add_option(const std::string& names, std::vector<std::string>& into,
                           const std::string& help);
  CommandOption add_option(const std::string& names, int& into, const std::string& help);
  CommandOption add_option(const std::string& names, std::uint64_t& into, const std::string& help);
  CommandOption add_option(const std::string& names, std::optional<std::uint64_t>& into,
                           const std::string& help);
  CommandOption add_flag(const std::string& names, bool& into, const std::string& help);
  CommandLine group(const std::string& name);
  CommandLine footer(const std::string& text);
  /// Calls `chosen` if the command line has this command.
  CommandLine callback(const std::function<void()>& chosen);

private:
  CLI::App* app_;
};

/// Refuses an empty value. In a shell script it comes from an unset variable, by mistake.
ValueCheck not_empty();

/// Accepts a whole number that is at least `least`. CLI11's PositiveNumber is a range of double,
/// and its Range takes -1 for the largest unsigned number.
ValueCheck at_least(std::uint64_t least);

/// Accepts a number from `least` to `most`.
ValueCheck in_range(std::int64_t least, std::int64_t most);

ValueCheck one_of(std::initializer_list<std::string> values);

}  // namespace tcplab::engine
