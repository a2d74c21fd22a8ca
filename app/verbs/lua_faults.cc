// Faults in scripts: lab:lose, lab:delay and so on, and the objects that they return. Each takes a
// direction, a filter and a table of options; all of them may be left out.
#include <cmath>

#include "app/script/lua_objects.hh"
#include "app/script/script_context.hh"
#include "app/verbs/lua_filter.hh"
#include "app/verbs/lua_modules.hh"
#include "base/error.hh"
#include "lab/wire/byte_faults.hh"
#include "lab/wire/loss_faults.hh"
#include "lab/wire/timing_faults.hh"

namespace tcplab::app {

using capture::ActionVerb;

namespace {

constexpr int kMostCopies = 1000;
constexpr int kMostFrames = 1'000'000'000;
constexpr LuaRange kFrames = {0, kMostFrames};
constexpr LuaRange kFramesFromOne = {1, kMostFrames};
constexpr double kUsualQueue = 100;     // frames
constexpr double kLongestDelay = 3600;  // seconds

bool has(lua_State* lua, const char* option) {
  const bool is_there = lua_getfield(lua, -1, option) != LUA_TNIL;
  lua_pop(lua, 1);
  return is_there;
}

double number_of(lua_State* lua, const char* option) {
  lua_getfield(lua, -1, option);
  const double value = lua_tonumber(lua, -1);
  lua_pop(lua, 1);
  return value;
}

void check_delay(lua_State* lua) {
  if (has(lua, "by") && number_of(lua, "jitter") > number_of(lua, "by"))
    refuse_option("jitter", "is no longer than `by`");
}

void check_corrupt(lua_State* lua) {
  if (has(lua, "bits") && has(lua, "value"))
    throw base::UsageError("options `bits` and `value` do not go together");
}

constexpr LuaRange kDelay = {0, kLongestDelay, "seconds"};

const LuaTable kFaultOptions = {
    "fault_options",
    "",
    {{"name?", "string", "a name, for lab:remove and for the reader"},
     {"count?", "integer", "acts on at most this many frames; all by default", kFrames},
     {"skip?", "integer", "lets this many frames pass first", kFrames},
     {"nth?", "integer", "acts on the n-th frame only", kFramesFromOne},
     {"every?", "integer", "acts on every n-th frame", kFramesFromOne},
     {"probability?", "number", "acts on each frame with this probability, from 0 to 1", {0, 1}},
     {"seed?", "integer", "seeds probability and jitter; drawn by default", {0, 0xffffffff}}},
    &kPacketFields};

const LuaTable kDelayOptions = {
    "delay_options",
    "",
    {{"by", "number", "seconds", kDelay},
     {"jitter?", "number", "seconds, at most this much more or less", kDelay}},
    &kFaultOptions,
    check_delay};

const LuaTable kLimitOptions = {
    "limit_options",
    "",
    {{"rate", "number", "bits per second", {1, 1e12, "bits per second"}},
     {"queue?", "integer", "the most frames that may wait; 100 by default", kFramesFromOne}},
    &kFaultOptions};

const LuaTable kDuplicateOptions = {
    "duplicate_options",
    "",
    {{"copies?", "integer", "1 by default", {1, kMostCopies}},
     {"after?", "number", "seconds between a frame and its copy; 0 by default", kDelay}},
    &kFaultOptions};

const LuaTable kReorderOptions = {
    "reorder_options",
    "",
    {{"behind?", "integer", "how many later frames go first; 1 by default", kFramesFromOne}},
    &kFaultOptions};

const LuaWords kChecksumKinds = {.name = "checksum_kind", .words = {"wrong", "fixed"}};

const LuaTable kCorruptOptions = {
    "corrupt_options",
    "",
    {{"offset?", "integer", "a byte, as in tcp[offset]; by default the first byte of the data",
      kField16Range},
     {"bits?", "integer", "a mask of the bits to flip; 1 by default", {1, 0xff}},
     {"value?", "integer", "the new value of the byte, instead of flipping bits", kByteRange},
     {"checksum?", "checksum_kind", "\"wrong\" by default"}},
    &kFaultOptions,
    check_corrupt};

const LuaTable kTruncateOptions = {
    "truncate_options",
    "",
    {{"to", "integer", "bytes of the IP packet that arrive", kField16Range},
     {"checksum?", "checksum_kind", "the checksum and the length; \"wrong\" by default"}},
    &kFaultOptions};

const LuaTable kMtuOptions = {
    "mtu_options",
    "",
    {{"mtu", "integer", "the longest IP packet that passes, in bytes", {68, 0xffff}}},
    &kFaultOptions};

/// The arguments of a fault's verb. Throws base::UsageError for wrong ones.
class FaultCall {
public:
  FaultCall(LuaCall& call, const LuaTable& options) : call_(call) {
    options_ = 1;
    while (options_ <= 3 && !lua_istable(call.lua, options_ + 1)) ++options_;
    call.allow_options(options_, options);
  }

  lab::FaultScope scope() const {
    const std::string where = direction();
    const bool is_link = names_link(where);
    return {.filter = script_filter(call_, is_link ? "" : where, expression(), options_),
            .selection = lab::FrameSelection(selection()),
            .link = is_link ? where : "",
            .name = call_.option_text(options_, "name").value_or("")};
  }

  /// A whole number: allow_options() has checked its range.
  std::optional<int> whole(const char* option) const {
    const auto value = call_.option_number(options_, option);
    if (!value) return std::nullopt;
    return static_cast<int>(*value);
  }

  std::optional<double> number(const char* option) const {
    return call_.option_number(options_, option);
  }

  bool fixes_checksum() const {
    return call_.option_word(options_, "checksum", kChecksumKinds.words) == "fixed";
  }

  std::optional<base::nanoseconds> span(const char* option) const {
    const auto seconds = number(option);
    if (!seconds) return std::nullopt;
    return base::nanoseconds(std::llround(*seconds * 1e9));
  }

  std::optional<std::uint32_t> seed() const {
    const auto value = call_.option_number(options_, "seed");
    if (!value) return std::nullopt;
    return static_cast<std::uint32_t>(*value);
  }

  template <typename Kind, typename... Arguments>
  int push(Arguments... arguments) const {
    ScriptContext& context = context_of(call_);
    const auto fault = std::make_shared<Kind>(scope(), arguments...);
    const capture::FaultRule rule = fault->rule();
    const LuaFault handle{context.laboratory().network().frames().faults().add(fault)};
    context.act({.verb = rule.verb, .fault = rule, .line = call_.line()});
    return push_object(call_.lua, handle);
  }

private:
  bool names_link(const std::string& where) const {
    if (context_of(call_).laboratory().network().has_link(where)) return !where.empty();
    if (where.find('>') == std::string::npos && where.find_first_not_of(' ') != std::string::npos)
      throw base::UsageError("\"" + where + "\" is no link of this run, and no direction: " +
                             "those are of the form \"kang > kodos\"");
    return false;
  }

  std::string direction() const {
    return options_ > 1 && call_.has(1) ? call_.text(1, "the direction") : "";
  }
  std::string expression() const {
    return options_ > 2 && call_.has(2) ? call_.text(2, "the packet word or filter") : "";
  }

  lab::SelectionOptions selection() const {
    return {.skip = whole("skip").value_or(0),
            .count = whole("count"),
            .nth = whole("nth"),
            .every = whole("every"),
            .probability = number("probability"),
            .seed = seed()};
  }

  LuaCall& call_;
  int options_;
};

std::shared_ptr<lab::Fault> fault_of(LuaCall& call) {
  auto fault = call.self<LuaFault>().fault.lock();
  if (!fault) throw base::UsageError("this fault is already removed");
  return fault;
}

void remove(LuaCall& call, const lab::Fault& fault) {
  context_of(call).act({.verb = ActionVerb::remove, .fault = fault.rule(), .line = call.line()});
  context_of(call).laboratory().network().frames().faults().remove(fault);
}

int fault_remove(LuaCall& call) {
  remove(call, *fault_of(call));
  return call.push_nothing();
}

int fault_release(LuaCall& call) {
  const auto fault = fault_of(call);
  context_of(call).act({.verb = ActionVerb::release, .fault = fault->rule(), .line = call.line()});
  context_of(call).laboratory().network().frames().faults().release(*fault);
  return call.push_self();
}

int lab_lose(LuaCall& call) { return FaultCall(call, kFaultOptions).push<lab::LoseFault>(); }

int lab_cut(LuaCall& call) { return FaultCall(call, kFaultOptions).push<lab::CutFault>(); }

int lab_hold(LuaCall& call) { return FaultCall(call, kFaultOptions).push<lab::HoldFault>(); }

int lab_mtu(LuaCall& call) {
  const FaultCall fault(call, kMtuOptions);
  const bool ipv4 = context_of(call).laboratory().config().family == base::Family::ipv4;
  // RFC 791: every link can carry 68 bytes; RFC 8200 section 5: 1280.
  const auto mtu = fault.whole("mtu");
  if (!mtu) refuse_option("mtu", "is missing: the longest IP packet that passes, in bytes");
  if (!ipv4 && *mtu < 1280) refuse_option("mtu", "is a whole number from 1280 to 65535 on IPv6");
  return fault.push<lab::MtuFault>(static_cast<std::size_t>(*mtu));
}

int lab_delay(LuaCall& call) {
  const FaultCall fault(call, kDelayOptions);
  const auto by = fault.span("by");
  const auto jitter = fault.span("jitter").value_or(base::nanoseconds{});
  if (!by) refuse_option("by", "is missing: by how many seconds");
  return fault.push<lab::DelayFault>(lab::DelayFault::Span{*by, jitter, fault.seed()});
}

int lab_limit(LuaCall& call) {
  const FaultCall fault(call, kLimitOptions);
  const auto rate = fault.number("rate");
  if (!rate) refuse_option("rate", "is a number of bits per second from 1 to 1e12");
  const auto queue = fault.whole("queue");
  return fault.push<lab::LimitFault>(*rate, static_cast<std::size_t>(queue.value_or(kUsualQueue)));
}

int lab_duplicate(LuaCall& call) {
  const FaultCall fault(call, kDuplicateOptions);
  return fault.push<lab::DuplicateFault>(fault.whole("copies").value_or(1),
                                         fault.span("after").value_or(base::nanoseconds{}));
}

int lab_reorder(LuaCall& call) {
  const FaultCall fault(call, kReorderOptions);
  return fault.push<lab::ReorderFault>(fault.whole("behind").value_or(1));
}

int lab_corrupt(LuaCall& call) {
  const FaultCall fault(call, kCorruptOptions);
  const auto bits = fault.whole("bits");
  const auto value = fault.whole("value");
  const auto offset = fault.whole("offset");
  lab::CorruptFault::Change change{.fixes_checksum = fault.fixes_checksum()};
  if (offset) change.offset = static_cast<std::size_t>(*offset);
  if (bits) change.flip = static_cast<std::uint8_t>(*bits);
  if (value) change.value = static_cast<std::uint8_t>(*value);
  return fault.push<lab::CorruptFault>(change);
}

int lab_truncate(LuaCall& call) {
  const FaultCall fault(call, kTruncateOptions);
  const auto to = fault.whole("to");
  if (!to) refuse_option("to", "is missing: how many bytes of the IP packet are left");
  return fault.push<lab::TruncateFault>(static_cast<std::size_t>(*to), fault.fixes_checksum());
}

int lab_remove(LuaCall& call) {
  const std::string name = call.text(1, "the fault's name");
  const lab::Fault* fault = context_of(call).laboratory().network().frames().faults().find(name);
  if (fault == nullptr) throw base::UsageError("there is no fault called \"" + name + "\"");
  remove(call, *fault);
  return call.push_nothing();
}

/// Every fault takes the same arguments; the options differ.
LuaVerb fault_verb(const char* name, LuaFunction function, const char* doc,
                   const LuaTable& options) {
  return {name,
          function,
          doc,
          {{"direction?", "direction_or_link",
            "\"kang > kodos\", \"* > kodos\" or a link; everywhere by default"},
           {"packet?", "packet_selection", "a word or a pcap filter; every frame by default"},
           {"options?", options.name, "the direction and the filter may be left out before it"}},
          {"fault"}};
}

}  // namespace

LuaModule faults_module() {
  return {
      .classes =
          {lua_class<LuaLab>(
               {fault_verb("lose", lab_lose, "Drops frames.", kFaultOptions),
                fault_verb("cut", lab_cut, "Cuts the wire: no matching frame passes.",
                           kFaultOptions),
                fault_verb("hold", lab_hold, "Holds frames on the wire until they are released.",
                           kFaultOptions),
                fault_verb("delay", lab_delay, "Delivers frames later.", kDelayOptions),
                fault_verb("limit", lab_limit, "Limits the rate of a link.", kLimitOptions),
                fault_verb("duplicate", lab_duplicate, "Sends copies after each frame.",
                           kDuplicateOptions),
                fault_verb("reorder", lab_reorder, "Delivers a frame after later ones.",
                           kReorderOptions),
                fault_verb("corrupt", lab_corrupt, "Changes one byte.", kCorruptOptions),
                fault_verb("truncate", lab_truncate, "Cuts off the end of IP packets.",
                           kTruncateOptions),
                fault_verb("mtu", lab_mtu, "Drops longer IP packets, without an ICMP error.",
                           kMtuOptions),
                {"remove", lab_remove, "Ends the fault with this name.", {{"name", "string"}}}}),
           lua_class<LuaFault>(
               {{"remove", fault_remove,
                 "Ends the fault; frames that it holds or delays are delivered."},
                {"release",
                 fault_release,
                 "Releases the frames that it holds now, and goes on holding later ones.",
                 {},
                 {"fault"}}})},
      .tables = {&kFaultOptions, &kDelayOptions, &kLimitOptions, &kDuplicateOptions,
                 &kReorderOptions, &kCorruptOptions, &kTruncateOptions, &kMtuOptions},
      .words = {kChecksumKinds}};
}

}  // namespace tcplab::app
