#include <fcntl.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <functional>
#include <iostream>
#include <vector>

#include "base/error.hh"
#include "capture/calls/tracer_trial.hh"
#include "netns/host_config.hh"
#include "netns/run_space.hh"
#include "netns/subordinate_ids.hh"
#include "reports/text/hanging.hh"
#include "scenarios/engine/cli/command_line.hh"
#include "scenarios/engine/cli/commands.hh"
#include "scenarios/engine/hosts/kernel_choice.hh"
#include "scenarios/engine/hosts/make_host_maker.hh"
#include "scenarios/engine/lab/lab_program.hh"
#include "scenarios/engine/lab/needs.hh"
#include "scenarios/engine/suite/run_process.hh"
#include "scenarios/engine/terminal/terminal.hh"
#include "scenarios/engine/tracepoints/kernel_watch.hh"

namespace tcplab::engine {

namespace {

enum class Health : std::uint8_t { good, limited, bad };

struct DoctorCheck {
  Health health;
  std::string what;   // what was checked
  std::string found;  // the result
  std::string fix;    // a command; empty if none is needed or known
};

DoctorCheck kernel() {
  utsname system{};
  ::uname(&system);
  return {Health::good, "kernel", fmt::format("Linux {} on {}", system.release, system.machine),
          ""};
}

/// Makes hosts as a run does, in its process. Returns 0, or throws.
int make_hosts(const KernelChoice& on, std::size_t count) {
  std::vector<netns::HostConfig> configs(count);
  for (std::size_t i = 0; i < configs.size(); ++i) {
    configs[i].name = i == 0 ? "kang" : "kodos";
    netns::NicConfig nic;
    nic.mac = netns::MacAddress::local(static_cast<std::uint16_t>(i + 1));
    configs[i].nics.push_back(nic);
  }
  boost::asio::io_context loop;
  make_host_maker(on, loop)->power_on(configs, [] {});
  return 0;
}

/// True if a run can start its hosts. If not, the reason is on stderr, or it throws base::LabError.
bool can_make_hosts(const KernelChoice& on, std::size_t count) {
  const auto space = start_run(on, {}, [&] { return make_hosts(on, count); });
  siginfo_t info{};
  base::check("wait for the trial",
              ::waitid(P_PIDFD, static_cast<id_t>(space.pidfd.get()), &info, WEXITED));
  return info.si_code == CLD_EXITED && info.si_status == 0;
}

DoctorCheck hosts() {
  try {
    if (can_make_hosts({}, 2)) return {Health::good, "hosts", "started two hosts", ""};
    return {Health::limited, "hosts", "cannot start two hosts; the reason is above",
            "sudo tcplab doctor"};
  } catch (const base::LabError& error) {
    return {Health::limited, "hosts", error.what(), ""};
  }
}

DoctorCheck kernel_hosts() {
  const std::string what = "hosts with kernels of their own";
  const std::vector<KernelChoice> kernels = known_kernels();
  if (kernels.empty())
    return {Health::limited, what, "no kernel for them is installed; they need no privileges",
            "sudo apt-get install user-mode-linux"};
  const KernelChoice& on = kernels.front();
  try {
    if (can_make_hosts(on, 1))
      return {Health::good, what,
              fmt::format("started one on Linux {}: --on {}", on.release, on.version()), ""};
    return {Health::limited, what, "cannot start one; the reason is above", ""};
  } catch (const base::LabError& error) {
    return {Health::limited, what, error.what(), ""};
  }
}

DoctorCheck ports() {
  if (netns::preferred_port_kind() == netns::PortKind::tap)
    return {Health::good, "NICs", "TAP devices", ""};
  return {Health::limited, "NICs", "veth pairs, because /dev/net/tun cannot be opened",
          std::filesystem::exists("/dev/net/tun") ? "sudo chmod 0666 /dev/net/tun"
                                                  : "sudo modprobe tun"};
}

DoctorCheck privilege() {
  if (::geteuid() == 0) return {Health::good, "user", "root", ""};
  return {Health::good, "user", "an ordinary user; tcplab uses a user namespace", ""};
}

/// Programs of an ordinary user can have another user only with subordinate ids.
DoctorCheck other_users() {
  const std::string what = "other users (as = ...)";
  if (::geteuid() == 0) return {Health::good, what, "programs can have any user", ""};
  const std::string lost = "; programs are root on their host, and scenarios with `as` are skipped";
  const auto found = netns::own_subordinate_ids();
  if (const auto* obstacle = std::get_if<netns::SubordinateObstacle>(&found))
    return {Health::limited, what, obstacle->what + lost, obstacle->fix};
  try {
    const auto space = netns::start_run_space({}, [] { return netns::mapped_users() > 1 ? 0 : 1; });
    siginfo_t info{};
    base::check("wait for the trial",
                ::waitid(P_PIDFD, static_cast<id_t>(space.pidfd.get()), &info, WEXITED));
    if (info.si_status == 0)
      return {Health::good, what, "programs can have any user, by your subordinate ids", ""};
  } catch (const base::LabError&) {
    // The check of hosts says why.
  }
  return {Health::limited, what, "newuidmap(1) or newgidmap(1) fails" + lost, ""};
}

DoctorCheck setting(const std::string& sysctl, const std::string& without) {
  std::string path = "/proc/sys/" + sysctl;
  for (char& c : path)
    if (c == '.') c = '/';
  if (std::filesystem::exists(path)) return {Health::good, sysctl, "this kernel has it", ""};
  return {Health::limited, sysctl, "this kernel does not have it; " + without, ""};
}

DoctorCheck tracepoints() {
  const std::string what = "--tracepoints";
  try {
    std::string missing;
    for (const std::string& tracepoint : missing_tracepoints())
      missing += (missing.empty() ? "" : ", ") + tracepoint;
    if (missing.empty()) return {Health::good, what, "tcplab can read them", ""};
    return {Health::limited, what, "this kernel does not have " + missing, ""};
  } catch (const capture::CannotTrace& error) {
    return {Health::limited, what, error.what(), error.fix()};
  }
}

/// Yama's setting; -1 without Yama (Documentation/admin-guide/LSM/Yama.rst).
int ptrace_scope() {
  std::ifstream file("/proc/sys/kernel/yama/ptrace_scope");
  int scope = -1;
  file >> scope;
  return scope;
}

DoctorCheck tracing() {
  const std::string what = "tracing of programs";
  const std::string lost =
      "; the calls of programs other than dnc cannot be recorded, so "
      "host:run needs watch = false";
  const std::string container = "docker run --cap-add SYS_PTRACE ...";
  switch (capture::find_trace_obstacle()) {
    case capture::TraceObstacle::none:
      return {Health::good, what, "tcplab can record the calls of any program", ""};
    case capture::TraceObstacle::filter:
      return {Health::limited, what, "seccomp(2) filters are refused" + lost, ""};
    case capture::TraceObstacle::sockets:
      return {Health::limited, what, "pidfd_getfd(2) is refused" + lost, container};
    case capture::TraceObstacle::ptrace:
      break;
  }
  constexpr int kOnlyAdmin = 2;
  const int scope = ptrace_scope();
  if (scope < kOnlyAdmin) return {Health::limited, what, "ptrace(2) is refused" + lost, container};
  const std::string found =
      fmt::format("ptrace(2) is refused, because kernel.yama.ptrace_scope is {}", scope);
  if (scope > kOnlyAdmin)
    return {Health::limited, what, found + ", until the next start of the machine" + lost, ""};
  return {Health::limited, what, found + lost, "sudo sysctl kernel.yama.ptrace_scope=1"};
}

DoctorCheck program(const std::string& name, const std::string& use, const std::string& package) {
  if (!find_program(name).empty()) return {Health::good, name, "installed; " + use, ""};
  return {Health::limited, name, "not installed; " + use, "sudo apt-get install " + package};
}

DoctorCheck own_dnc() {
  const auto beside = std::filesystem::canonical("/proc/self/exe").parent_path() / "dnc";
  if (std::filesystem::exists(beside)) return {Health::good, "dnc", beside.string(), ""};
  const std::string in_path = find_program("dnc");
  if (!in_path.empty()) return {Health::good, "dnc", in_path, ""};
  return {Health::bad, "dnc", "neither beside tcplab nor in PATH",
          "cp dnc " + beside.parent_path().string()};
}

const char* mark(Health health) {
  switch (health) {
    case Health::good:
      return "ok     ";
    case Health::limited:
      return "limited";
    case Health::bad:
      return "missing";
  }
  return "";
}

/// The last line. `on_namespaces`: whether hosts in namespaces can be started.
std::string conclusion(bool can_run, bool on_namespaces) {
  if (!can_run) return "tcplab cannot run scenarios on this machine.\n";
  if (on_namespaces) return "tcplab can run scenarios on this machine.\n";
  return "tcplab can run scenarios on this machine, with --on " +
         known_kernels().front().version() + ".\n";
}

int doctor() {
  DoctorCheck on_namespaces = hosts();
  DoctorCheck on_kernels = kernel_hosts();
  if (on_namespaces.health != Health::good && on_kernels.health != Health::good)
    on_namespaces.health = on_kernels.health = Health::bad;  // it needs one of them
  const std::vector<DoctorCheck> checks = {
      kernel(),
      privilege(),
      on_namespaces,
      on_kernels,
      other_users(),
      ports(),
      own_dnc(),
      setting("net.ipv4.tcp_child_ehash_entries", "listing all sockets of a host is slower"),
      setting("net.ipv4.tcp_rto_max_ms", "tcplab skips the scenarios that need it"),
      tracing(),
      tracepoints(),
      program("tshark", "it reads capture.pcapng", "tshark"),
      program("nft", "scenarios with firewalls and NATs need it", "nftables"),
      program("conntrack", "scenarios in which a firewall loses its state need it", "conntrack"),
  };
  const reports::Style style = style_of(STDOUT_FILENO);
  bool can_run = on_namespaces.health == Health::good || on_kernels.health == Health::good;
  for (const DoctorCheck& check : checks) {
    reports::write_hanging(std::cout, std::string(mark(check.health)) + "  ",
                           check.what + ": " + check.found, reports::Paint::plain, style);
    // Never broken over two lines, so that it can be copied.
    if (!check.fix.empty()) std::cout << "         fix: " << check.fix << "\n";
    can_run = can_run && check.health != Health::bad;
  }
  std::cout << conclusion(can_run, on_namespaces.health == Health::good);
  return can_run ? 0 : 3;
}

}  // namespace

void add_doctor_command(CommandLine& app, Command& chosen) {
  app.add_subcommand("doctor", "Check this machine and print fixes")
      .group(kMachineCommands)
      .footer("Exit status: 0 if scenarios can run, if only with --on; 3 if not.")
      .callback([&chosen] { chosen = doctor; });
}

}  // namespace tcplab::engine
