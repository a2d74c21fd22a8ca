#include <cstdio>
#include <fmt/format.h>
#include <memory>
#include <set>

#include "base/error.hh"
#include "scenarios/engine/catalogue.hh"
#include "scenarios/engine/commands.hh"

namespace tcplab::engine {

namespace {

struct Options {
  std::vector<std::string> selectors;
  bool names = false;
};

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

/// For completion: every word that selects something.
void print_names(const std::vector<ScriptInfo>& scripts) {
  std::set<std::string> names;
  for (const ScriptInfo& script : scripts) {
    names.insert(script.name);
    names.insert(script.topic);
    names.insert(script.tags.begin(), script.tags.end());
  }
  for (const std::string& name : names) fmt::print("{}\n", name);
}

void print_table(const std::vector<ScriptInfo>& scripts) {
  std::size_t width = 0;
  for (const ScriptInfo& script : scripts) width = std::max(width, script.name.size());
  std::string topic;
  for (const ScriptInfo& script : scripts) {
    if (script.topic != topic) fmt::print("{}{}\n", topic.empty() ? "" : "\n", script.topic);
    topic = script.topic;
    fmt::print("  {:<{}}  {}\n", script.name, width, script.asks);
    fmt::print("  {:<{}}  tags: {}\n", "", width, joined(script.tags));
  }
}

int list(const Options& options) {
  std::vector<ScriptInfo> scripts;
  bool broken = false;
  for (const auto& file : Catalogue(Catalogue::default_folder()).select(options.selectors)) {
    try {
      scripts.push_back(Script(file.string()).info());
    } catch (const base::UsageError& error) {
      fmt::print(stderr, "tcplab: {}\n", error.what());
      broken = true;
    }
  }
  if (options.names) {
    print_names(scripts);
  } else {
    print_table(scripts);
  }
  return broken ? 2 : 0;
}

}  // namespace

void add_list_command(CLI::App& app, Command& chosen) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("list", "The scenarios that there are");
  command->add_option("WHICH", options->selectors, "names, topics, tags, files or folders");
  command->add_flag("--names", options->names, "only the words that select something, one a line");
  command->callback([options, &chosen] { chosen = [options] { return list(*options); }; });
}

}  // namespace tcplab::engine
