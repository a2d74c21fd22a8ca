#include "app/verbs/lua_filter.hh"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>

#include "app/script/script_context.hh"
#include "app/verbs/lua_modules.hh"
#include "base/error.hh"
#include "base/nearest.hh"

namespace tcplab::app {

const LuaTable kPacketFields = {
    "packet_fields",
    "What a segment must have. Sequence numbers are relative to the "
    "initial ones, as in the ladder.",
    {{"seq?", "integer", "", kSequenceRange},
     {"ack?", "integer", "", kSequenceRange},
     {"window?", "integer", "the value in the header, not scaled", kField16Range},
     {"length?", "integer", "bytes of data", {0, 0xffffffff}}}};

namespace {

std::optional<std::int64_t> field(const LuaCall& call, int options, const char* name) {
  const auto value = call.option_number(options, name);
  if (!value) return std::nullopt;
  return static_cast<std::int64_t>(*value);
}

lab::PacketFields fields(const LuaCall& call, int options) {
  return {.sequence = field(call, options, "seq"),
          .acknowledgment = field(call, options, "ack"),
          .window = field(call, options, "window"),
          .length = field(call, options, "length")};
}

/// True for letters and blanks only: somebody meant a word, not a filter.
bool looks_like_words(const std::string& text) {
  return std::ranges::all_of(text,
                             [](unsigned char c) { return std::isalpha(c) != 0 || c == ' '; });
}

lab::FrameFilter make_filter(const std::string& direction, const std::string& expression,
                             const lab::PacketFields& fields) {
  const lab::FrameFilter without(direction, "");  // a bad direction has its own message
  try {
    return {direction, expression, fields};
  } catch (const base::UsageError&) {
    if (!looks_like_words(expression)) throw;
    std::set<std::string> words;
    for (const lab::PacketWordName& each : lab::packet_words())
      words.insert("\"" + std::string(each.name) + "\"");
    throw base::UsageError("\"" + expression + "\" is neither a packet word nor a pcap filter; " +
                           base::nearest_words(words, "\"" + expression + "\""));
  }
}

LuaWords packet_selections() {
  const auto check = [](const std::string& text) { make_filter("", text, {}); };
  LuaWords selections{.name = "packet_selection", .words = {}, .has_others = true, .check = check};
  for (const lab::PacketWordName& each : lab::packet_words())
    selections.words.emplace_back(each.name);
  return selections;
}

}  // namespace

lab::FrameFilter script_filter(const LuaCall& call, const std::string& direction,
                               const std::string& expression, int options) {
  lab::FrameFilter filter = make_filter(direction, expression, fields(call, options));
  for (const std::string& host : {filter.from(), filter.to()}) {
    if (!host.empty() && host != "*" && context_of(call).laboratory().hosts().find(host) == nullptr)
      throw base::UsageError("no host is called \"" + host + "\"");
  }
  return filter;
}

LuaModule filter_module() {
  return {.words = {{.name = "direction", .has_others = true},
                    {.name = "direction_or_link", .has_others = true},
                    packet_selections()}};
}

}  // namespace tcplab::app
