#include "app/verbs/host_call.hh"

#include "app/script/lua_objects.hh"
#include "app/script/script_context.hh"

namespace tcplab::app {

lab::LabHost& host_of(LuaCall& call) { return *call.self<LuaHost>().host; }

void act_on_host(LuaCall& call, capture::Action action) {
  action.host = host_of(call).name();
  action.line = call.line();
  context_of(call).act(std::move(action));
}

}  // namespace tcplab::app
