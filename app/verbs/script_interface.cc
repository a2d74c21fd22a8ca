#include "app/verbs/script_interface.hh"

#include <nlohmann/json.hpp>

#include "app/script/lua_binding.hh"
#include "app/script/lua_objects.hh"
#include "app/script/script.hh"
#include "app/verbs/lua_modules.hh"
#include "capture/event/event_members.hh"
#include "lab/plans/timers.hh"
#include "netns/environment.hh"

namespace tcplab::app {

namespace {

using Json = nlohmann::ordered_json;

Json json_of(const capture::EventMember& member) {
  return {{"name", member.name}, {"type", member.type}};
}

Json json_of(const capture::EventKind& kind);

Json json_of(const LuaParameter& parameter) {
  const std::string_view name = parameter.name;
  return {{"name", std::string(plain_name(parameter))},
          {"optional", name.ends_with('?')},
          {"type", parameter.type},
          {"doc", parameter.doc}};
}

Json json_of(const LuaVerb& verb);
Json json_of(const LuaField& field);
Json json_of(const LuaClass& registered);
Json json_of(const LuaTable* table);
Json json_of(const LuaWords& words);

template <typename Values>
Json json_list(const Values& values) {
  Json list = Json::array();
  for (const auto& value : values) list.push_back(json_of(value));
  return list;
}

Json json_of(const LuaVerb& verb) {
  return {{"name", verb.name},
          {"doc", verb.doc},
          {"parameters", json_list(verb.parameters)},
          {"results", verb.results},
          {"overload", verb.overload}};
}

Json json_of(const LuaField& field) {
  return {{"name", field.name}, {"type", field.type}, {"doc", field.doc}};
}

Json json_of(const LuaClass& registered) {
  return {{"name", registered.name},
          {"doc", registered.doc},
          {"verbs", json_list(registered.verbs)},
          {"fields", json_list(registered.fields)}};
}

Json json_of(const LuaTable* table) {
  return {{"name", table->name},
          {"doc", table->doc},
          {"base", table->base == nullptr ? "" : table->base->name},
          {"fields", json_list(table->fields)}};
}

Json json_of(const capture::EventKind& kind) {
  return {{"kind", std::string(kind.name)}, {"members", json_list(kind.members)}};
}

Json json_of(const LuaWords& words) {
  return {{"name", words.name}, {"words", words.words}, {"others", words.has_others}};
}

}  // namespace

const LuaInterface& script_interface() {
  static const LuaInterface kAll({scenario_module(),
                                  lab_module(),
                                  topology_module(),
                                  connect_module(),
                                  timers_module(),
                                  filter_module(),
                                  faults_module(),
                                  forge_module(),
                                  connection_module(),
                                  subject_module(),
                                  packets_module(),
                                  claims_module(),
                                  first_module(),
                                  when_module(),
                                  hosts_module(),
                                  power_module(),
                                  network_module(),
                                  programs_module(),
                                  states_module(),
                                  calls_module(),
                                  program_expectations_module(),
                                  kernel_module(),
                                  files_module(),
                                  services_module(),
                                  dns_module(),
                                  inject_module(),
                                  audit_module(),
                                  peer_module(),
                                  peer_connection_module()});
  return kAll;
}

Json interface_json() {
  const LuaInterface& all = script_interface();
  return {{"classes", json_list(all.classes())},
          {"tables", json_list(all.tables())},
          {"words", json_list(all.words())},
          {"events", json_list(capture::event_kinds())},
          {"environment",
           {{"fast", lab::sysctls(lab::TimerProfile::fast)}, {"pinned", netns::pinned_sysctls()}}}};
}

void install_script_interface(lua_State* lua) {
  for (const LuaClass& registered : script_interface().classes()) register_class(lua, registered);
}

void push_lab(lua_State* lua) { push_object(lua, LuaLab{}); }

}  // namespace tcplab::app
