// Files in the private folders of a host: host:file.
#include "base/error.hh"
#include "scenarios/engine/home/host_file.hh"
#include "scenarios/engine/home/program_options.hh"
#include "scenarios/engine/lab/needs.hh"
#include "scenarios/engine/script/script_context.hh"
#include "scenarios/engine/verbs/lua_modules.hh"
#include "scenarios/engine/verbs/lua_objects.hh"

namespace tcplab::engine {

namespace {

const LuaTable kFileOptions = {
    "file_options",
    "",
    {{"mode?", "string", "octal digits, \"0600\"; \"0644\" by default"},
     {"owner?", "string", "a user of this machine; needs root. By default, who runs programs"}}};

/// Reads the arguments. Looks up no user.
HostFile wanted_file(LuaCall& call) {
  call.allow_options(3, kFileOptions);
  HostFile file{.path = call.text(1, "the path"), .text = call.text(2, "the content")};
  require_private(file.path);
  file.mode = mode_named(call.option_text(3, "mode").value_or("0644"));
  return file;
}

std::string owner_of(LuaCall& call) { return call.option_text(3, "owner").value_or(""); }

void check_file(LuaCall& call) {
  wanted_file(call);
  if (const std::string owner = owner_of(call); !owner.empty()) user_named(owner);
}

int host_file(LuaCall& call) {
  HostFile file = wanted_file(call);
  const std::string owner = owner_of(call);
  if (context_of(call).laboratory().config().is_trusted)
    throw Skip("host:file writes into private folders, and tcplab run --trust makes none");
  if (const auto missing = owner.empty() ? std::nullopt : missing_need("root"))
    throw Skip("to give a file to " + owner + ", " + *missing);
  if (!owner.empty()) file.owner = user_named(owner);
  LabHost& host = *call.self<LuaHost>().host;
  const std::string wrong = host.machine().do_inside([&] { write_private(file); });
  if (!wrong.empty()) throw base::UsageError(host.name() + ": " + wrong);
  Laboratory& laboratory = context_of(call).laboratory();
  laboratory.timeline().append(laboratory.clock().now(),
                               capture::Note{host.name() + " has the file " + file.path + ", " +
                                             std::to_string(file.text.size()) + " bytes"});
  return call.push_self();
}

}  // namespace

LuaModule files_module() {
  return {.classes = {lua_class<LuaHost>(
              {{.name = "file",
                .function = host_file,
                .doc = "Writes a file into a private folder of the host, and makes its folders.",
                .parameters = {{"path", "string", "below /tmp, /var/tmp, /run or /dev/shm"},
                               {"text", "string"},
                               {"options?", "file_options"}},
                .results = {"host"},
                .check = check_file}})},
          .tables = {&kFileOptions}};
}

}  // namespace tcplab::engine
