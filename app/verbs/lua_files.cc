// Files in the private folders of a host, and its disks: host:file, host:disk.
#include <cerrno>

#include "app/script/lua_objects.hh"
#include "app/script/script_context.hh"
#include "app/verbs/lua_modules.hh"
#include "base/error.hh"
#include "lab/home/file_mode.hh"
#include "lab/home/host_disk.hh"
#include "lab/home/program_options.hh"
#include "lab/programs/needs.hh"
#include "netns/view/private_file.hh"

namespace tcplab::app {

namespace {

const LuaTable kFileOptions = {
    "file_options",
    "",
    {{"mode?", "string", "octal digits, \"0600\"; \"0644\" by default"},
     {"owner?", "string", "a user of this machine. By default, who runs programs"}}};

/// Throws Skip if files cannot have this owner.
netns::ProgramUser usable_owner(const std::string& name, const std::string& what) {
  netns::ProgramUser user = lab::user_named(name);
  if (const auto missing = lab::missing_user(user))
    throw lab::Skip("to give " + what + " to " + name + ", " + *missing);
  return user;
}

const LuaTable kDiskOptions = {
    "disk_options",
    "",
    {{"from?", "string", "the folder of this machine that is copied; empty by default"},
     {"mode?", "string", "of the disk's top folder, octal digits; \"0755\" by default"},
     {"owner?", "string", "of all its files, a user of this machine"}}};

/// Reads the arguments. Looks up no user, and no file.
lab::DiskPlan wanted_disk(LuaCall& call) {
  call.allow_options(2, kDiskOptions);
  lab::DiskPlan plan{.path = call.text(1, "the path")};
  lab::require_disk_path(plan.path);
  plan.from = call.option_text(2, "from").value_or("");
  if (const auto mode = call.option_text(2, "mode")) plan.mode = lab::mode_named(*mode);
  return plan;
}

void check_disk(LuaCall& call) {
  wanted_disk(call);
  if (const auto owner = call.option_text(2, "owner")) lab::user_named(*owner);
}

/// A host sees only its own disks, also when it is switched on again. What a namespace host sees
/// now has no disk of the run: it has a copy of older mounts.
void hide_disks(lab::Laboratory& laboratory) {
  lab::DiskStore& store = laboratory.disks();
  for (const auto& host : laboratory.hosts().all()) {
    if (host->config().is_peer) continue;
    if (host->is_on() && host->machine().namespaces() == nullptr) store.hide(host->machine());
    host->at_power_on.emplace_back([&store](netns::Machine& machine) { store.hide(machine); });
  }
}

lab::HostDisk make_disk(lab::Laboratory& laboratory, const lab::DiskPlan& plan) try {
  const bool is_first = laboratory.disks().is_empty();
  lab::HostDisk disk =
      laboratory.disks().make(plan, [&laboratory] { laboratory.network().pump(); });
  if (is_first) hide_disks(laboratory);
  return disk;
} catch (const base::SystemError& error) {
  if (error.error() != EPERM) throw;
  throw lab::Skip("host:disk needs a mount namespace for the run: see tcplab doctor");
}

int host_disk(LuaCall& call) {
  lab::DiskPlan plan = wanted_disk(call);
  const std::string owner = call.option_text(2, "owner").value_or("");
  lab::Laboratory& laboratory = context_of(call).laboratory();
  if (laboratory.config().is_trusted)
    throw lab::Skip(
        "host:disk mounts on a contained host, and tcplab run --trust contains nothing");
  if (!owner.empty()) plan.owner = usable_owner(owner, "a disk");
  lab::LabHost& host = *call.self<LuaHost>().host;
  if (host.config().is_peer) host.require_kernel_tcp("a disk");
  // hostfs has the rights of the user who runs tcplab, on top of those of the guest's users.
  if (!owner.empty()) host.namespaces("a disk with an owner");
  netns::Machine& machine = host.machine();
  const lab::HostDisk disk = make_disk(laboratory, plan);
  const auto attach = [disk](netns::Machine& on) { lab::DiskStore::attach(disk, on); };
  attach(machine);
  host.at_power_on.emplace_back(attach);
  laboratory.timeline().append(laboratory.clock().now(),
                               capture::Note{host.name() + " has a disk at " + plan.path});
  return call.push_self();
}

/// Reads the arguments. Looks up no user.
netns::PrivateFile wanted_file(LuaCall& call) {
  call.allow_options(3, kFileOptions);
  netns::PrivateFile file{.path = call.text(1, "the path"), .text = call.text(2, "the content")};
  netns::require_private(file.path);
  file.mode = lab::mode_named(call.option_text(3, "mode").value_or("0644"));
  return file;
}

std::string owner_of(LuaCall& call) { return call.option_text(3, "owner").value_or(""); }

void check_file(LuaCall& call) {
  wanted_file(call);
  if (const std::string owner = owner_of(call); !owner.empty()) lab::user_named(owner);
}

int host_file(LuaCall& call) {
  netns::PrivateFile file = wanted_file(call);
  const std::string owner = owner_of(call);
  if (context_of(call).laboratory().config().is_trusted)
    throw lab::Skip("host:file writes into private folders, and tcplab run --trust makes none");
  if (!owner.empty()) file.owner = usable_owner(owner, "a file");
  lab::LabHost& host = *call.self<LuaHost>().host;
  host.machine().write_private_file(file);
  lab::Laboratory& laboratory = context_of(call).laboratory();
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
                .check = check_file},
               {.name = "disk",
                .function = host_disk,
                .doc = "Gives the host a folder that survives when it loses its power.",
                .parameters = {{"path", "string"}, {"options?", "disk_options"}},
                .results = {"host"},
                .check = check_disk}})},
          .tables = {&kFileOptions, &kDiskOptions}};
}

}  // namespace tcplab::app
