// Prints the pages of --help: one column of options, one of plain text, as wide as the terminal.
// CLI11's own formatter prints types, ranges and dependencies, which are for programmers.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace tcplab::app {

class HelpFormatter : public CLI::FormatterBase {
public:
  /// Uses the width of the terminal behind `descriptor`, at most 100 columns.
  explicit HelpFormatter(int descriptor);

  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override;

private:
  struct Entry {
    std::string name;  // "-j, --jobs N"
    std::string text;  // what it does
  };

  struct Section {
    std::string heading;
    std::vector<Entry> entries;
  };

  static Entry entry_of(const CLI::Option& option);
  static std::vector<Entry> options_of(const CLI::App& app, const std::string& group);
  static std::vector<Entry> arguments_of(const CLI::App& app);
  static std::vector<Entry> commands_of(const CLI::App& app, const std::string& group);
  static std::string usage_of(const CLI::App& app, const std::string& name);
  static std::vector<Section> sections_of(const CLI::App& app);
  std::string entry_lines(const Entry& entry, int margin) const;

  int width_;
};

}  // namespace tcplab::app
