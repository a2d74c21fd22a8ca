#include "app/protocol/lua_writer.hh"

#include <algorithm>

#include "app/protocol/members.hh"
#include "app/script/lua_binding.hh"
#include "app/shell/shell_commands.hh"
#include "app/verbs/script_interface.hh"
#include "base/error.hh"

namespace tcplab::app {

using nlohmann::json;

namespace {

constexpr int kDeepestArgument = 20;
constexpr std::size_t kLongestNumber = 15;  // digits of a key

/// Throws base::UsageError with the nearest names if the class has no such verb, or field.
void require_name(const LuaClass& registered, const std::string& name, bool is_field) {
  const auto is_it = [&](const auto& one) { return one.name == name; };
  const bool is_known = is_field ? std::ranges::any_of(registered.fields, is_it)
                                 : std::ranges::any_of(registered.verbs, is_it);
  if (is_known) return;
  if (!is_field && std::ranges::any_of(registered.fields, is_it))
    throw base::UsageError("`" + name + "` is a field; ask for it: {\"field\": \"" + name + "\"}");
  if (is_field && std::ranges::any_of(registered.verbs, is_it))
    throw base::UsageError("`" + name + "` is a verb; call it: {\"verb\": \"" + name + "\"}");
  throw base::UsageError(unknown_name(registered, name));
}

/// Returns true for "1", "2", ...: numbers in Lua.
bool is_index(const std::string& key) {
  return !key.empty() && key.size() <= kLongestNumber && key.front() != '0' &&
         std::ranges::all_of(key, [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

std::string LuaWriter::call(const json& said, int depth) {
  const json& on = member(said, "on");
  if (!on.is_null() && !Handles::is_handle(on))
    throw base::UsageError("`on` is a handle, {\"handle\": 1}, or absent for the lab");
  const std::uint64_t number = on.is_null() ? 0 : handles_.number_of(on);
  const bool is_field = said.contains("field");
  if (is_field == said.contains("verb"))
    throw base::UsageError("a call has `verb` or `field`: {\"verb\": \"pair\"}");
  const json& name = member(said, is_field ? "field" : "verb");
  if (!name.is_string())
    throw base::UsageError(std::string("`") + (is_field ? "field" : "verb") + "` is a text");
  const LuaClass& registered = *script_interface().find_class(handles_.at(number).type);
  require_name(registered, name, is_field);
  const json& given = member(said, "args");
  if (is_field && !given.is_null()) throw base::UsageError("a field has no `args`");
  if (is_field) return object(number) + "." + name.get<std::string>();
  if (!given.is_null() && !given.is_array())
    throw base::UsageError("`args` is a list: {\"verb\": \"wait\", \"args\": [1]}");
  std::string text;
  for (const json& argument : given) text += (text.empty() ? "" : ", ") + value(argument, depth);
  return object(number) + ":" + name.get<std::string>() + "(" + text + ")";
}

std::string LuaWriter::value(const json& said, int depth) {
  if (depth > kDeepestArgument) throw base::UsageError("an argument has too many levels");
  if (said.is_null()) return "nil";
  if (said.is_string()) return lua_quoted(said);
  if (Handles::is_handle(said)) return object(handles_.number_of(said));
  if (said.is_object() && said.contains("do")) return function(said, depth + 1);
  if (said.is_structured()) return table(said, depth + 1);
  return said.dump();  // true, 7, -0.5: Lua reads them as JSON does
}

std::string LuaWriter::table(const json& said, int depth) {
  std::string text;
  for (const auto& [key, member] : said.items()) {
    text += text.empty() ? "" : ", ";
    if (said.is_object()) text += "[" + (is_index(key) ? key : lua_quoted(key)) + "] = ";
    text += value(member, depth);
  }
  return "{" + text + "}";
}

std::string LuaWriter::function(const json& said, int depth) {
  const json& calls = member(said, "do");
  if (said.size() != 1 || !calls.is_array())
    throw base::UsageError(
        "a function is a list of calls: {\"do\": [{\"on\": HANDLE, \"verb\": \"power_off\"}]}");
  std::string text = "function()";
  for (const json& one : calls) {
    require_members(one, {"on", "verb", "args"}, "a call of a function");
    text += " " + call(one, depth) + ";";
  }
  return text + " end";
}

std::string LuaWriter::object(std::uint64_t number) {
  objects_.insert(number);
  if (for_ == For::reader) return handles_.at(number).name;
  return "h[" + std::to_string(number) + "]";
}

}  // namespace tcplab::app
