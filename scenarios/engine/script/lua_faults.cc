// Faults in scripts: lab:lose, lab:delay and so on, and their handles. Each takes a direction, a
// filter and a table of options; any of them may be left out.
#include <cmath>

#include "base/error.hh"
#include "scenarios/engine/script/experiment.hh"
#include "scenarios/engine/script/lua_lab.hh"
#include "scenarios/engine/wire/byte_faults.hh"
#include "scenarios/engine/wire/loss_faults.hh"
#include "scenarios/engine/wire/timing_faults.hh"

namespace tcplab::engine {

using capture::ActionVerb;

namespace {

constexpr int kMostCopies = 1000;
constexpr int kMostFrames = 1'000'000'000;
constexpr double kUsualQueue = 100;   // frames
constexpr double kLongestWay = 3600;  // seconds

[[noreturn]] void refuse(const std::string& option, const std::string& what) {
  throw base::UsageError("option `" + option + "` " + what);
}

/// The arguments of a fault's verb. What is wrong with them is thrown as base::UsageError.
class FaultCall {
public:
  /// `own`: the options that only this verb has.
  FaultCall(LuaCall& call, const std::vector<const char*>& own) : call_(call) {
    options_ = 1;
    while (options_ <= 3 && !lua_istable(call.lua, options_ + 1)) ++options_;
    std::vector<const char*> known = own;
    for (const char* common : {"name", "count", "skip", "nth", "every", "probability", "seed"})
      known.push_back(common);
    call.allow_options(options_, known);
  }

  FaultScope scope() const {
    const std::string where = direction();
    const bool is_link = names_link(where);
    return {.filter = known_filter(call_, is_link ? "" : where, expression()),
            .selection = FrameSelection(selection()),
            .link = is_link ? where : "",
            .name = call_.option_text(options_, "name").value_or("")};
  }

  std::optional<int> whole(const char* option, int least, int most) const {
    const auto value = call_.option_number(options_, option);
    if (!value) return std::nullopt;
    if (!(*value >= least && *value <= most) || *value != std::floor(*value))
      refuse(option, "is a whole number from " + std::to_string(least) +
                         (most == kMostFrames ? " on" : " to " + std::to_string(most)));
    return static_cast<int>(*value);
  }

  std::optional<double> number(const char* option) const {
    return call_.option_number(options_, option);
  }

  bool is_mended() const {
    const std::string checksum = call_.option_text(options_, "checksum").value_or("wrong");
    if (checksum != "wrong" && checksum != "mended")
      refuse("checksum", "is \"wrong\" (as the change leaves it) or \"mended\"");
    return checksum == "mended";
  }

  std::optional<base::nanoseconds> span(const char* option) const {
    const auto seconds = number(option);
    if (!seconds) return std::nullopt;
    if (!(*seconds >= 0 && *seconds <= kLongestWay))
      refuse(option, "is a number of seconds from 0 to 3600");
    return base::nanoseconds(std::llround(*seconds * 1e9));
  }

  std::optional<std::uint32_t> seed() const {
    const auto value = call_.option_number(options_, "seed");
    if (!value) return std::nullopt;
    if (!(*value >= 0 && *value <= 0xffffffff) || *value != std::floor(*value))
      refuse("seed", "is a whole number from 0 to 4294967295");
    return static_cast<std::uint32_t>(*value);
  }

  template <typename Kind, typename... Arguments>
  int push(Arguments... arguments) const {
    Experiment& experiment = call_.experiment();
    const auto fault = std::make_shared<Kind>(scope(), arguments...);
    const capture::FaultRule rule = fault->rule();
    const LuaFault handle{experiment.laboratory().watch().faults().add(fault)};
    experiment.act({.verb = rule.verb, .fault = rule, .line = call_.line()});
    return push_object(call_.lua, handle);
  }

private:
  bool names_link(const std::string& where) const {
    if (call_.experiment().laboratory().has_link(where)) return !where.empty();
    if (where.find('>') == std::string::npos && where.find_first_not_of(' ') != std::string::npos)
      throw base::UsageError("\"" + where + "\" is no link of this run, and no direction: " +
                             "those are of the form \"kang > kodos\"");
    return false;
  }

  std::string direction() const {
    return options_ > 1 && call_.has(1) ? call_.text(1, "the direction") : "";
  }
  std::string expression() const {
    return options_ > 2 && call_.has(2) ? call_.text(2, "the filter") : "";
  }

  SelectionOptions selection() const {
    return {.skip = whole("skip", 0, kMostFrames).value_or(0),
            .count = whole("count", 0, kMostFrames),
            .nth = whole("nth", 1, kMostFrames),
            .every = whole("every", 1, kMostFrames),
            .probability = number("probability"),
            .seed = seed()};
  }

  LuaCall& call_;
  int options_;
};

std::shared_ptr<Fault> fault_of(LuaCall& call) {
  auto fault = call.self<LuaFault>().fault.lock();
  if (!fault) throw base::UsageError("this fault has been lifted already");
  return fault;
}

void lift(LuaCall& call, const Fault& fault) {
  call.experiment().act({.verb = ActionVerb::lift, .fault = fault.rule(), .line = call.line()});
  call.experiment().laboratory().watch().faults().lift(fault);
}

int fault_lift(LuaCall& call) {
  lift(call, *fault_of(call));
  return call.push_nothing();
}

int fault_release(LuaCall& call) {
  const auto fault = fault_of(call);
  call.experiment().act({.verb = ActionVerb::release, .fault = fault->rule(), .line = call.line()});
  call.experiment().laboratory().watch().faults().release(*fault);
  return call.push_self();
}

}  // namespace

FrameFilter known_filter(const LuaCall& call, const std::string& direction,
                         const std::string& expression) {
  FrameFilter filter(direction, expression);
  for (const std::string& host : {filter.from(), filter.to()}) {
    if (!host.empty() && host != "*" && call.experiment().laboratory().find_host(host) == nullptr)
      throw base::UsageError("no host is called \"" + host + "\"");
  }
  return filter;
}

FrameFilter frame_filter(LuaCall& call, int first) {
  return known_filter(call, call.has(first) ? call.text(first, "the direction") : "",
                      call.has(first + 1) ? call.text(first + 1, "the filter") : "");
}

/// lab:lose("kang > kodos", "tcp[tcpflags] & tcp-syn != 0", { count = 1, skip = 0 }) -> fault
int lab_lose(LuaCall& call) { return FaultCall(call, {}).push<LoseFault>(); }

/// lab:cut("kodos > kang") -> fault
int lab_cut(LuaCall& call) { return FaultCall(call, {}).push<CutFault>(); }

/// lab:hold("kang > kodos", "tcp") -> fault, with :release() and :lift()
int lab_hold(LuaCall& call) { return FaultCall(call, {}).push<HoldFault>(); }

/// lab:mtu("kang > kodos", { mtu = 1400 }) -> fault
int lab_mtu(LuaCall& call) {
  const FaultCall fault(call, {"mtu"});
  const bool ipv4 = call.experiment().laboratory().config().family == base::Family::ipv4;
  // RFC 791: every link can carry 68 bytes; RFC 8200 section 5: 1280.
  const auto mtu = fault.whole("mtu", ipv4 ? 68 : 1280, 65535);
  if (!mtu) refuse("mtu", "is missing: the longest IP packet that passes, in bytes");
  return fault.push<MtuFault>(static_cast<std::size_t>(*mtu));
}

/// lab:delay("kang > kodos", "tcp", { by = 0.05, jitter = 0.01 }) -> fault
int lab_delay(LuaCall& call) {
  const FaultCall fault(call, {"by", "jitter"});
  const auto by = fault.span("by");
  const auto jitter = fault.span("jitter").value_or(base::nanoseconds{});
  if (!by) refuse("by", "is missing: by how many seconds");
  if (jitter > *by) refuse("jitter", "is no longer than `by`");
  return fault.push<DelayFault>(DelayFault::Span{*by, jitter, fault.seed()});
}

/// lab:limit("kang > kodos", { rate = 1e6, queue = 20 }) -> fault
int lab_limit(LuaCall& call) {
  const FaultCall fault(call, {"rate", "queue"});
  const auto rate = fault.number("rate");
  if (!rate || !(*rate >= 1 && *rate <= 1e12))
    refuse("rate", "is a number of bits per second from 1 to 1e12");
  const auto queue = fault.whole("queue", 1, kMostFrames);
  return fault.push<LimitFault>(*rate, static_cast<std::size_t>(queue.value_or(kUsualQueue)));
}

/// lab:duplicate("kang > kodos", "tcp", { copies = 1, after = 0 }) -> fault
int lab_duplicate(LuaCall& call) {
  const FaultCall fault(call, {"copies", "after"});
  return fault.push<DuplicateFault>(fault.whole("copies", 1, kMostCopies).value_or(1),
                                    fault.span("after").value_or(base::nanoseconds{}));
}

/// lab:reorder("kang > kodos", "tcp", { behind = 1 }) -> fault
int lab_reorder(LuaCall& call) {
  const FaultCall fault(call, {"behind"});
  return fault.push<ReorderFault>(fault.whole("behind", 1, kMostFrames).value_or(1));
}

/// lab:corrupt("kang > kodos", "tcp", { offset = 13, value = 0x11, checksum = "mended" }) -> fault
int lab_corrupt(LuaCall& call) {
  const FaultCall fault(call, {"offset", "bits", "value", "checksum"});
  const auto bits = fault.whole("bits", 1, 255);
  const auto value = fault.whole("value", 0, 255);
  const auto offset = fault.whole("offset", 0, 65535);
  if (bits && value) throw base::UsageError("options `bits` and `value` do not go together");
  CorruptFault::Change change{.is_mended = fault.is_mended()};
  if (offset) change.offset = static_cast<std::size_t>(*offset);
  if (bits) change.flip = static_cast<std::uint8_t>(*bits);
  if (value) change.value = static_cast<std::uint8_t>(*value);
  return fault.push<CorruptFault>(change);
}

/// lab:truncate("kang > kodos", "tcp", { to = 40 }) -> fault
int lab_truncate(LuaCall& call) {
  const FaultCall fault(call, {"to", "checksum"});
  const auto to = fault.whole("to", 0, 65535);
  if (!to) refuse("to", "is missing: how many bytes of the IP packet are left");
  return fault.push<TruncateFault>(static_cast<std::size_t>(*to), fault.is_mended());
}

/// lab:lift "name"
int lab_lift(LuaCall& call) {
  const std::string name = call.text(1, "the fault's name");
  const Fault* fault = call.experiment().laboratory().watch().faults().find(name);
  if (fault == nullptr) throw base::UsageError("there is no fault called \"" + name + "\"");
  lift(call, *fault);
  return call.push_nothing();
}

void install_faults(lua_State* lua) {
  register_class<LuaFault>(lua, {{"lift", fault_lift}, {"release", fault_release}});
}

}  // namespace tcplab::engine
