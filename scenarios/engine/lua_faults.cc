// Faults in scripts: lab:lose, lab:cut, lab:hold, and their handles.
#include "base/error.hh"
#include "scenarios/engine/experiment.hh"
#include "scenarios/engine/lua_lab.hh"

namespace tcplab::engine {

namespace {

int push_fault(LuaCall& call, const std::string& verb, std::unique_ptr<Fault> fault) {
  call.experiment().act("", verb, fault->describe(), call.line());
  return push_object(call.lua,
                     LuaFault{&call.experiment().laboratory().watch().add(std::move(fault))});
}

std::optional<int> whole_option(LuaCall& call, const char* field) {
  const auto value = call.option_number(3, field);
  if (!value) return std::nullopt;
  if (*value < 0 || *value > 1e9 || *value != static_cast<int>(*value))
    throw base::UsageError(std::string("option `") + field + "` is a whole number of frames");
  return static_cast<int>(*value);
}

Fault& fault_of(LuaCall& call) {
  LuaFault& handle = call.self<LuaFault>();
  if (handle.fault == nullptr) throw base::UsageError("this fault has been lifted already");
  return *handle.fault;
}

int fault_lift(LuaCall& call) {
  Fault& fault = fault_of(call);
  call.experiment().act("", "lift", fault.describe(), call.line());
  call.self<LuaFault>().fault = nullptr;
  call.experiment().laboratory().lift(fault);
  return call.push_nothing();
}

int fault_release(LuaCall& call) {
  Fault& fault = fault_of(call);
  call.experiment().act("", "release", fault.describe(), call.line());
  call.experiment().laboratory().release(fault);
  return call.push_self();
}

}  // namespace

FrameFilter frame_filter(LuaCall& call, int first) {
  FrameFilter filter(call.has(first) ? call.text(first, "the direction") : "",
                     call.has(first + 1) ? call.text(first + 1, "the filter") : "");
  for (const std::string& host : {filter.from(), filter.to()}) {
    if (!host.empty() && host != "*" && call.experiment().laboratory().find_host(host) == nullptr)
      throw base::UsageError("no host is called \"" + host + "\"");
  }
  return filter;
}

/// lab:lose("kang > kodos", "tcp[tcpflags] & tcp-syn != 0", { count = 1, skip = 0 }) -> fault
int lab_lose(LuaCall& call) {
  call.allow_options(3, {"count", "skip"});
  const auto count = whole_option(call, "count");
  return push_fault(call, "lose",
                    std::make_unique<LoseFault>(frame_filter(call, 1), count,
                                                whole_option(call, "skip").value_or(0)));
}

/// lab:cut("kodos > kang") -> fault
int lab_cut(LuaCall& call) {
  return push_fault(call, "cut", std::make_unique<CutFault>(frame_filter(call, 1)));
}

/// lab:hold("kang > kodos", "tcp") -> fault, with :release() and :lift()
int lab_hold(LuaCall& call) {
  return push_fault(call, "hold", std::make_unique<HoldFault>(frame_filter(call, 1)));
}

void install_faults(lua_State* lua) {
  register_class<LuaFault>(lua, {{"lift", fault_lift}, {"release", fault_release}});
}

}  // namespace tcplab::engine
