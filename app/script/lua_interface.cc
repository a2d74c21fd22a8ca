#include "app/script/lua_interface.hh"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace tcplab::app {

namespace {

constexpr std::string_view kLab = "lab";  // always called by its name, unlike other objects

template <typename Values>
auto find_named(const Values& values, std::string_view name) {
  const auto found = std::ranges::find(values, name, [](const auto& value) { return value.name; });
  return found == values.end() ? nullptr : &*found;
}

template <typename Value>
void append(std::vector<Value>& to, const std::vector<Value>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

}  // namespace

LuaInterface::LuaInterface(const std::vector<LuaModule>& modules) {
  for (const LuaModule& module : modules) {
    for (const LuaClass& part : module.classes) add(part);
    append(tables_, module.tables);
    append(words_, module.words);
  }
}

void LuaInterface::add(const LuaClass& part) {
  const auto found = std::ranges::find(classes_, std::string_view(part.name),
                                       [](const LuaClass& known) { return known.name; });
  if (found == classes_.end()) {
    classes_.push_back(part);
    return;
  }
  append(found->verbs, part.verbs);
  append(found->fields, part.fields);
  if (*part.doc != '\0') found->doc = part.doc;
}

const LuaClass* LuaInterface::find_class(std::string_view name) const {
  return find_named(classes_, name);
}

const LuaTable* LuaInterface::find_table(std::string_view name) const {
  const auto found =
      std::ranges::find(tables_, name, [](const auto* table) { return table->name; });
  return found == tables_.end() ? nullptr : *found;
}

const LuaWords* LuaInterface::find_words(std::string_view type) const {
  return find_named(words_, type);
}

const LuaVerb* LuaInterface::find_verb(std::string_view class_name, std::string_view name) const {
  for (const LuaClass& known : classes_) {
    if (class_name.empty() ? known.name == kLab : known.name != class_name) continue;
    if (const LuaVerb* verb = find_named(known.verbs, name)) return verb;
  }
  return nullptr;
}

std::string wrong_range(const LuaParameter& parameter, double value) {
  const LuaRange& range = parameter.range;
  const bool is_whole = std::string_view(parameter.type) == "integer";
  if (value >= range.least && value <= range.most && (!is_whole || value == std::floor(value)))
    return "";
  std::string text = is_whole ? "a whole number" : "a number";
  if (*range.unit != '\0') text += fmt::format(" of {}", range.unit);
  if (!std::isfinite(range.least)) return text;
  text += fmt::format(" from {:.0f}", range.least);
  return text + (std::isfinite(range.most) ? fmt::format(" to {:.0f}", range.most) : " on");
}

std::string_view plain_name(const LuaParameter& parameter) {
  std::string_view name = parameter.name;
  if (name.ends_with('?')) name.remove_suffix(1);
  return name;
}

std::vector<std::string> field_names(const LuaTable& table) {
  std::vector<std::string> names;
  for (const LuaTable* part = &table; part != nullptr; part = part->base)
    for (const LuaParameter& field : part->fields) names.emplace_back(plain_name(field));
  return names;
}

}  // namespace tcplab::app
