#include "app/verbs/segment_pattern.hh"

#include <algorithm>
#include <utility>

#include "app/verbs/lua_filter.hh"
#include "app/verbs/lua_tcp_options.hh"
#include "base/error.hh"
#include "base/escape.hh"

namespace tcplab::app {

namespace {

using capture::TcpFlags;

constexpr const char* kNoSack = "option `sack` is a list of blocks, or false for none";

template <typename Value>
bool is_wanted(const std::optional<Value>& wanted, const Value& value) {
  return !wanted || *wanted == value;
}

template <typename Value>
std::optional<std::uint32_t> wide(const std::optional<Value>& value) {
  return value ? std::optional<std::uint32_t>(*value) : std::nullopt;
}

std::string text_of(capture::Bytes bytes) { return {bytes.begin(), bytes.end()}; }

bool has_sack(const std::vector<capture::SackBlock>& wanted, const capture::TcpOptions& options,
              std::uint32_t base) {
  return wanted.size() == options.sack_count &&
         std::equal(wanted.begin(), wanted.end(), options.sack_blocks.begin(),
                    [base](const capture::SackBlock& one, const capture::SackBlock& other) {
                      return one.begin + base == other.begin && one.end + base == other.end;
                    });
}

/// The letters by which scripts name flags: "SA".
std::string letters(std::uint16_t flags) {
  static constexpr std::pair<std::uint16_t, char> kLetters[] = {
      {TcpFlags::kFin, 'F'},     {TcpFlags::kSyn, 'S'},          {TcpFlags::kRst, 'R'},
      {TcpFlags::kPush, 'P'},    {TcpFlags::kAck, 'A'},          {TcpFlags::kUrgent, 'U'},
      {TcpFlags::kEcnEcho, 'E'}, {TcpFlags::kWindowReduced, 'W'}};
  std::string text;
  for (const auto& [flag, letter] : kLetters)
    if ((flags & flag) != 0) text += letter;
  return text.empty() ? "none" : text;
}

class Fields {
public:
  void add_number(const std::string& name, const std::optional<std::uint32_t>& value) {
    if (value) add(name + " " + std::to_string(*value));
  }
  /// A negative number of a script, modulo 2^32.
  void add_relative(const std::string& name, const std::optional<std::uint32_t>& value) {
    if (value) add(name + " " + std::to_string(static_cast<std::int32_t>(*value)));
  }
  void add(const std::string& name, const std::optional<bool>& value) {
    if (value) add((*value ? "with " : "without ") + name);
  }
  void add(const std::string& text) { text_ += (text_.empty() ? "" : ", ") + text; }
  std::string text() const { return text_.empty() ? "a segment" : text_; }

private:
  std::string text_;
};

std::optional<bool> flag_of(const LuaCall& call, int index, const char* field) {
  if (!call.has_option(index, field)) return std::nullopt;
  return call.option_flag(index, field, false);
}

/// `sack = false` is no block; without the option, any blocks will do.
std::optional<std::vector<capture::SackBlock>> sack_of(lua_State* lua) {
  const int type = lua_getfield(lua, -1, "sack");
  const bool is_none = type == LUA_TBOOLEAN && lua_toboolean(lua, -1) == 0;
  lua_pop(lua, 1);
  if (type == LUA_TNIL) return std::nullopt;
  if (is_none) return std::vector<capture::SackBlock>{};
  if (type == LUA_TBOOLEAN) throw base::UsageError(kNoSack);
  return read_sack(lua, 0);
}

void read_expected_options(const LuaCall& call, int index, SegmentPattern& pattern) {
  const int type = call.push_field(index, "options");
  if (type != LUA_TNIL && type != LUA_TTABLE)
    throw base::UsageError("option `options` is a table: options = { mss = 1460 }");
  if (type == LUA_TTABLE) {
    const LuaCall options(call.lua, false);
    const int at = lua_gettop(call.lua);
    options.allow_options(at, kExpectedOptions);
    pattern.mss = wide(options.option_number(at, "mss"));
    pattern.window_scale = wide(options.option_number(at, "window_scale"));
    pattern.sack_permitted = flag_of(options, at, "sack_permitted");
    pattern.timestamps = flag_of(options, at, "timestamps");
    pattern.sack = sack_of(call.lua);
  }
  lua_pop(call.lua, 1);
}

std::optional<std::uint32_t> number_of(const LuaCall& call, int index, const char* field) {
  const auto value = call.option_number(index, field);
  return value ? header_number(*value) : std::nullopt;
}

void check_sack(lua_State* lua) { sack_of(lua); }

bool is_frame(const capture::Event& event, const lab::PeerConnection& connection) {
  const auto* packet = std::get_if<capture::Packet>(&event.body);
  return packet != nullptr && packet->delivered && !connection.waiting().empty() &&
         packet->frame == connection.waiting().front().frame;
}

}  // namespace

const LuaTable kExpectedOptions = {
    "expected_tcp_options",
    "The TCP options that an expected segment must have.",
    {{"mss?", "integer", "bytes", kField16Range},
     {"window_scale?", "integer", "the shift count", kByteRange},
     {"sack_permitted?", "boolean", "whether it has the option"},
     {"timestamps?", "boolean", "whether it has the option"},
     {"sack?", "integer[][]|boolean", "blocks: { first, next }; false for none"}},
    nullptr,
    check_sack};

const LuaTable kExpectedSegment = {
    "expected_segment",
    "The next segment that the host sends to the peer.",
    {{"flags?", "tcp_flags", "exactly these; P may be set or not unless it is named"},
     {"data?", "string"},
     {"urgent?", "integer", "the urgent pointer", kField16Range},
     {"options?", "expected_tcp_options"},
     {"absolute?", "boolean", "true: `seq`, `ack` and `sack` are the numbers in the header"},
     {"skip?", "boolean", "true: other segments may come first"},
     {"within?", "number", "seconds; 5 by default", kSpanRange}},
    &kPacketFields};

bool SegmentPattern::matches(const capture::TcpSegment& segment,
                             const lab::PeerNumbers& numbers) const {
  const std::uint32_t host_first = is_absolute ? 0 : numbers.irs().value_or(0);
  const std::uint32_t own_first = is_absolute ? 0 : numbers.iss();
  const auto unnamed = static_cast<std::uint16_t>(names_push ? 0 : TcpFlags::kPush);
  const auto plain = [unnamed](std::uint16_t all) {
    return static_cast<std::uint16_t>(all & ~unnamed);
  };
  const capture::TcpOptions& options = segment.options;
  return (!flags || plain(*flags) == plain(segment.flags)) &&
         is_wanted(sequence, segment.sequence - host_first) &&
         is_wanted(acknowledgment, segment.acknowledgment - own_first) &&
         is_wanted(window, std::uint32_t{segment.window}) &&
         is_wanted(length, static_cast<std::uint32_t>(segment.length)) &&
         is_wanted(urgent, std::uint32_t{segment.urgent_pointer}) &&
         (!data || *data == text_of(segment.payload)) &&
         (!mss || mss == wide(options.maximum_segment_size)) &&
         (!window_scale || window_scale == wide(options.window_scale)) &&
         is_wanted(sack_permitted, options.sack_permitted) &&
         is_wanted(timestamps, options.timestamps.has_value()) &&
         (!sack || has_sack(*sack, options, own_first));
}

std::string SegmentPattern::describe() const {
  Fields fields;
  if (flags) fields.add("flags " + letters(*flags));
  const auto add_number = is_absolute ? &Fields::add_number : &Fields::add_relative;
  (fields.*add_number)("seq", sequence);
  (fields.*add_number)("ack", acknowledgment);
  fields.add_number("window", window);
  fields.add_number("length", length);
  fields.add_number("urgent", urgent);
  if (data) fields.add("data " + base::c_quote(*data));
  fields.add_number("mss", mss);
  fields.add_number("wscale", window_scale);
  fields.add("SACK permitted", sack_permitted);
  fields.add("timestamps", timestamps);
  if (sack && sack->empty()) fields.add("without SACK blocks");
  for (const capture::SackBlock& block : sack.value_or(std::vector<capture::SackBlock>{}))
    fields.add("SACK " + std::to_string(block.begin) + ":" + std::to_string(block.end));
  return fields.text();
}

SegmentPattern segment_pattern(const LuaCall& call, int index) {
  call.allow_options(index, kExpectedSegment);
  SegmentPattern pattern;
  if (!call.has(index)) return pattern;
  if (const auto flags = call.option_text(index, "flags")) {
    pattern.flags = lab::parse_tcp_flags(*flags);
    pattern.names_push = (*pattern.flags & TcpFlags::kPush) != 0;
  }
  pattern.sequence = number_of(call, index, "seq");
  pattern.acknowledgment = number_of(call, index, "ack");
  pattern.window = number_of(call, index, "window");
  pattern.length = number_of(call, index, "length");
  pattern.urgent = number_of(call, index, "urgent");
  pattern.data = call.option_text(index, "data");
  pattern.is_absolute = call.option_flag(index, "absolute", false);
  read_expected_options(call, index, pattern);
  return pattern;
}

std::string PeerEnds::stream() const {
  const capture::FlowKey& flow = connection->flow();
  return "segment " + peer + " " + flow.source.to_string() + " " + flow.destination.to_string();
}

SegmentWait::SegmentWait(base::Instant deadline, base::nanoseconds within, PeerEnds ends,
                         SegmentPattern pattern, bool skips)
    : Suspension(deadline),
      within_(within),
      ends_(std::move(ends)),
      pattern_(std::move(pattern)),
      skips_(skips) {
  stream = ends_.stream();
  host = ends_.host;
}

Decision SegmentWait::look(const capture::Event& event) {
  lab::PeerConnection& connection = *ends_.connection;
  if (!is_frame(event, connection)) return Decision::open;
  last_ = event;
  const lab::ArrivedSegment& front = connection.waiting().front();
  is_met_ = pattern_.matches(*front.decoded().tcp, connection.numbers());
  has_failed_ = !is_met_ && !skips_;
  if (has_failed_) return Decision::failed;
  connection.expect_next();
  return is_met_ ? Decision::met : Decision::open;
}

std::string SegmentWait::expected() const {
  return ends_.host + " sends " + ends_.peer + ": " + pattern_.describe();
}

std::string SegmentWait::limit() const {
  return has_failed_ ? "" : ", within " + base::describe(within_);
}

std::string SegmentWait::seen() const {
  if (is_met_) return app::describe(*last_);
  if (has_failed_) return "instead came " + app::describe(*last_);
  return last_ ? "the last was " + app::describe(*last_) : "it sent nothing more";
}

SilenceWait::SilenceWait(base::Instant deadline, base::nanoseconds span, PeerEnds ends)
    : Suspension(deadline), span_(span), ends_(std::move(ends)) {
  stream = ends_.stream();
  host = ends_.host;
}

Decision SilenceWait::look(const capture::Event& event) {
  if (!is_frame(event, *ends_.connection)) return Decision::open;
  came_ = event;
  return Decision::failed;
}

std::string SilenceWait::expected() const {
  return ends_.host + " sends " + ends_.peer + " nothing for " + base::describe(span_);
}

}  // namespace tcplab::app
