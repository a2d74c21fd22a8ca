#include "app/verbs/lua_tcp_options.hh"

#include <cmath>

#include "base/error.hh"

namespace tcplab::app {

namespace {

constexpr double kSequenceSpace = 4294967296.0;  // RFC 9293 section 3.4
constexpr const char* kSackWanted =
    "option `sack` is a list of blocks, each of its first and its next sequence number: "
    "sack = { { 101, 201 } }";
constexpr const char* kTimestampsWanted =
    "option `timestamps` is { value = n, echo = n }, true for the usual ones, or false for none";

/// The options table, on top of the stack.
class OptionsTable {
public:
  explicit OptionsTable(lua_State* state) : call_(state, false), at_(lua_gettop(state)) {}

  /// A whole number in the range of its parameter.
  std::optional<std::uint32_t> whole(const char* option) const {
    const auto value = call_.option_number(at_, option);
    return value ? std::optional(static_cast<std::uint32_t>(*value)) : std::nullopt;
  }

  bool flag(const char* option) const { return call_.option_flag(at_, option, false); }

  std::optional<std::string> text(const char* option) const {
    return call_.option_text(at_, option);
  }

  /// Pushes that field, and returns its type.
  int push(const char* option) const { return lua_getfield(call_.lua, at_, option); }

private:
  LuaCall call_;
  int at_;
};

/// Pops a number of a header.
std::uint32_t pop_number(lua_State* lua, const char* wanted) {
  const bool is_number = lua_type(lua, -1) == LUA_TNUMBER;
  const double value = lua_tonumber(lua, -1);
  lua_pop(lua, 1);
  const auto number = is_number ? header_number(value) : std::nullopt;
  if (!number) throw base::UsageError(wanted);
  return *number;
}

/// The number at that place of the list on top of the stack.
std::uint32_t number_at(lua_State* lua, lua_Integer place) {
  lua_rawgeti(lua, -1, place);
  return pop_number(lua, kSackWanted);
}

std::vector<capture::SackBlock> sack_blocks(lua_State* lua, const OptionsTable& options,
                                            std::uint32_t base) {
  std::vector<capture::SackBlock> blocks;
  const int type = options.push("sack");
  if (type != LUA_TNIL && type != LUA_TTABLE) throw base::UsageError(kSackWanted);
  const lua_Unsigned count = type == LUA_TTABLE ? lua_rawlen(lua, -1) : 0;
  if (type == LUA_TTABLE && count == 0) throw base::UsageError(kSackWanted);
  for (lua_Unsigned i = 1; i <= count; ++i) {
    if (lua_rawgeti(lua, -1, static_cast<lua_Integer>(i)) != LUA_TTABLE || lua_rawlen(lua, -1) != 2)
      throw base::UsageError(kSackWanted);
    const std::uint32_t first = base + number_at(lua, 1);
    blocks.push_back({first, base + number_at(lua, 2)});
    lua_pop(lua, 1);
  }
  lua_pop(lua, 1);
  return blocks;
}

/// Without the option, those that the segment has anyway.
void read_timestamps(lua_State* lua, const OptionsTable& options, lab::ForgedOptions& forged,
                     const capture::TcpTimestamps& usual) {
  const int type = options.push("timestamps");
  if (type == LUA_TBOOLEAN) {
    forged.timestamps = lua_toboolean(lua, -1) != 0 ? std::optional(usual) : std::nullopt;
  } else if (type == LUA_TTABLE) {
    const auto field = [lua](const char* name) {
      lua_getfield(lua, -1, name);
      return pop_number(lua, kTimestampsWanted);
    };
    forged.timestamps =
        capture::TcpTimestamps{.value = field("value"), .echo_reply = field("echo")};
  } else if (type != LUA_TNIL) {
    throw base::UsageError(kTimestampsWanted);
  }
  lua_pop(lua, 1);
}

void read_table(lua_State* lua, std::uint32_t sack_base, lab::ForgedOptions& forged,
                const capture::TcpTimestamps& usual) {
  const OptionsTable options(lua);
  if (const auto mss = options.whole("mss")) forged.mss = static_cast<std::uint16_t>(*mss);
  if (const auto shift = options.whole("window_scale"))
    forged.window_scale = static_cast<std::uint8_t>(*shift);
  forged.sack_permitted = options.flag("sack_permitted");
  forged.sack = sack_blocks(lua, options, sack_base);
  read_timestamps(lua, options, forged, usual);
  forged.fast_open = options.text("fast_open");
  forged.raw = options.text("raw").value_or("");
}

/// Whether they fit into a header. A run may add timestamps.
void check_tcp_options(lua_State* lua) {
  lab::ForgedOptions forged;
  read_table(lua, 0, forged, {});
  lab::encode(forged);
}

}  // namespace

std::optional<std::uint32_t> header_number(double number) {
  if (number != std::floor(number) || std::abs(number) >= kSequenceSpace) return std::nullopt;
  return static_cast<std::uint32_t>(static_cast<std::int64_t>(number));
}

std::vector<capture::SackBlock> read_sack(lua_State* lua, std::uint32_t base) {
  return sack_blocks(lua, OptionsTable(lua), base);
}

const LuaTable kTcpOptions = {
    "tcp_options",
    "The TCP options of a forged segment.",
    {{"mss?", "integer", "bytes", kField16Range},
     {"window_scale?", "integer", "the shift count", kByteRange},
     {"sack_permitted?", "boolean"},
     {"sack?", "integer[][]", "blocks: { first, next }"},
     {"timestamps?", "table|boolean",
      "{ value = n, echo = n }, true for the usual ones, false for none"},
     {"fast_open?", "string", "the bytes of the cookie; \"\" asks for one"},
     {"raw?", "string", "bytes after the options above"}},
    nullptr,
    check_tcp_options};

void read_tcp_options(const LuaCall& call, int index, std::uint32_t sack_base,
                      lab::ForgedOptions& forged, const capture::TcpTimestamps& usual) {
  if (!call.has(index)) return;
  const int type = call.push_field(index, "options");
  if (type != LUA_TNIL && type != LUA_TTABLE)
    throw base::UsageError("option `options` is a table: options = { mss = 1460 }");
  if (type == LUA_TTABLE) {
    LuaCall(call.lua, false).allow_options(lua_gettop(call.lua), kTcpOptions);
    read_table(call.lua, sack_base, forged, usual);
  }
  lua_pop(call.lua, 1);
}

}  // namespace tcplab::app
