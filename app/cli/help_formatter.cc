#include "app/cli/help_formatter.hh"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "app/terminal/terminal.hh"
#include "reports/text/text.hh"

namespace tcplab::app {

namespace {

constexpr int kWidest = 100;
constexpr int kTwoColumnsWidth = 60;  // below it, the texts are under the names
constexpr int kIndent = 2;
constexpr int kGap = 2;
constexpr const char* kOwnGroup = "Options";  // CLI11's group of --help

std::string joined(const std::vector<std::string>& words, const std::string& between) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
  return text;
}

/// The groups in the order of the code, with --help and --version last.
std::vector<std::string> groups_in_order(const CLI::App& app) {
  std::vector<std::string> groups = app.get_groups();
  std::stable_partition(groups.begin(), groups.end(),
                        [](const std::string& group) { return group != kOwnGroup; });
  return groups;
}

std::string lines_of(const std::string& text, int width) {
  std::string all;
  for (const std::string& line : reports::wrap(text, width)) all += line + "\n";
  return all;
}

}  // namespace

HelpFormatter::HelpFormatter(int descriptor)
    : width_(std::min(style_of(descriptor).width, kWidest)) {}

HelpFormatter::Entry HelpFormatter::entry_of(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& letter : option.get_snames()) names.push_back("-" + letter);
  for (const std::string& word : option.get_lnames()) names.push_back("--" + word);
  std::string name = joined(names, ", ");
  if (!option.get_option_text().empty()) name += " " + option.get_option_text();
  std::string text = option.get_description();
  if (!option.get_default_str().empty()) text += " (default " + option.get_default_str() + ")";
  return {name, text};
}

std::vector<HelpFormatter::Entry> HelpFormatter::options_of(const CLI::App& app,
                                                            const std::string& group) {
  const CLI::Option* help = app.get_help_ptr();
  std::vector<Entry> entries;
  for (const CLI::Option* option : app.get_options())
    if (option->nonpositional() && option->get_group() == group && option != help)
      entries.push_back(entry_of(*option));
  if (help != nullptr && help->get_group() == group) entries.push_back(entry_of(*help));
  return entries;
}

std::vector<HelpFormatter::Entry> HelpFormatter::arguments_of(const CLI::App& app) {
  std::vector<Entry> entries;
  for (const CLI::Option* option : app.get_options())
    if (option->get_positional())
      entries.push_back({option->get_name(true, false), entry_of(*option).text});
  return entries;
}

std::vector<HelpFormatter::Entry> HelpFormatter::commands_of(const CLI::App& app,
                                                             const std::string& group) {
  std::vector<Entry> entries;
  for (const CLI::App* command : app.get_subcommands({}))
    if (command->get_group() == group)
      entries.push_back({command->get_name(), command->get_description()});
  return entries;
}

std::string HelpFormatter::usage_of(const CLI::App& app, const std::string& name) {
  const bool has_commands = !app.get_subcommands({}).empty();
  std::string usage = "Usage: " + name + (has_commands ? " COMMAND" : "") + " [OPTION]...";
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_positional()) continue;
    const std::string argument = option->get_name(true, false);
    usage += option->get_required() ? " " + argument : " [" + argument + "]";
    if (option->get_expected_max() >= CLI::detail::expected_max_vector_size) usage += "...";
  }
  return usage;
}

std::string HelpFormatter::entry_lines(const Entry& entry, int margin) const {
  std::string text;
  std::string line = std::string(kIndent, ' ') + entry.name;
  if (reports::columns(line) + kGap > margin) {
    text = line + "\n";
    line.clear();
  }
  for (const std::string& part : reports::wrap(entry.text, width_ - margin)) {
    line.resize(static_cast<std::size_t>(margin), ' ');
    text += line + part + "\n";
    line.clear();
  }
  return text;
}

std::vector<HelpFormatter::Section> HelpFormatter::sections_of(const CLI::App& app) {
  std::vector<Section> sections = {{"Arguments", arguments_of(app)}};
  std::vector<std::string> groups;
  for (const CLI::App* command : app.get_subcommands({})) {
    const std::string& group = command->get_group();
    const bool is_hidden = group.empty();
    if (!is_hidden && std::ranges::find(groups, group) == groups.end()) groups.push_back(group);
  }
  for (const std::string& group : groups) sections.push_back({group, commands_of(app, group)});
  for (const std::string& group : groups_in_order(app))
    sections.push_back({group, options_of(app, group)});
  std::erase_if(sections, [](const Section& section) { return section.entries.empty(); });
  return sections;
}

std::string HelpFormatter::make_help(const CLI::App* app, std::string name,
                                     CLI::AppFormatMode) const {
  const std::vector<Section> sections = sections_of(*app);
  int margin = 3 * kIndent;
  if (width_ >= kTwoColumnsWidth)
    for (const Section& section : sections)
      for (const Entry& entry : section.entries)
        margin = std::max(margin, kIndent + reports::columns(entry.name) + kGap);
  std::string text = lines_of(app->get_description() + ".", width_) + "\n" +
                     lines_of(usage_of(*app, name), width_);
  for (const Section& section : sections) {
    text += "\n" + section.heading + ":\n";
    for (const Entry& entry : section.entries) text += entry_lines(entry, margin);
  }
  const std::string footer = app->get_footer();
  return text + (footer.empty() ? "" : "\n" + lines_of(footer, width_));
}

}  // namespace tcplab::app
