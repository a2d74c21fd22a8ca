#include "scenarios/engine/verbs/lua_filter.hh"

#include "base/error.hh"
#include "scenarios/engine/script/script_context.hh"
#include "scenarios/engine/verbs/lua_modules.hh"

namespace tcplab::engine {

FrameFilter script_filter(const LuaCall& call, const std::string& direction,
                          const std::string& expression) {
  FrameFilter filter(direction, expression);
  for (const std::string& host : {filter.from(), filter.to()}) {
    if (!host.empty() && host != "*" && context_of(call).laboratory().find_host(host) == nullptr)
      throw base::UsageError("no host is called \"" + host + "\"");
  }
  return filter;
}

LuaModule filter_module() {
  const auto check = [](const std::string& text) { FrameFilter("", text); };
  return {.words = {{.name = "direction", .has_others = true},
                    {.name = "direction_or_link", .has_others = true},
                    {.name = "filter", .has_others = true, .check = check}}};
}

}  // namespace tcplab::engine
