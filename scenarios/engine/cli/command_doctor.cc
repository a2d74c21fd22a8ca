#include <fcntl.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fmt/format.h>
#include <functional>
#include <iostream>
#include <vector>

#include "base/error.hh"
#include "netns/host.hh"
#include "netns/run_space.hh"
#include "reports/text/hanging.hh"
#include "scenarios/engine/cli/command_line.hh"
#include "scenarios/engine/cli/commands.hh"
#include "scenarios/engine/lab/kernel_watch.hh"
#include "scenarios/engine/lab/lab_program.hh"
#include "scenarios/engine/lab/needs.hh"
#include "scenarios/engine/terminal/terminal.hh"

namespace tcplab::engine {

namespace {

enum class Health : std::uint8_t { good, limited, bad };

struct DoctorCheck {
  Health health;
  std::string what;
  std::string mend;  // the command, or what to do
};

DoctorCheck kernel() {
  utsname system{};
  ::uname(&system);
  return {Health::good, fmt::format("Linux {} on {}", system.release, system.machine), ""};
}

/// Makes two hosts in a run space of their own, as a run does; 0 when that works.
int make_two_hosts() {
  std::vector<netns::HostConfig> configs(2);
  for (std::size_t i = 0; i < configs.size(); ++i) {
    configs[i].name = i == 0 ? "kang" : "kodos";
    netns::NicConfig nic;
    nic.mac = netns::MacAddress::local(static_cast<std::uint16_t>(i + 1));
    configs[i].nics.push_back(nic);
  }
  netns::Host::power_on(configs);
  return 0;
}

DoctorCheck hosts() {
  try {
    base::Pipe pipe = base::make_pipe();  // held open: what the attempt says goes to stderr
    auto space = netns::start_run_space({}, make_two_hosts);
    siginfo_t info{};
    base::check("wait for the trial",
                ::waitid(P_PIDFD, static_cast<id_t>(space.pidfd.get()), &info, WEXITED));
    if (info.si_code == CLD_EXITED && info.si_status == 0)
      return {Health::good, "two hosts can be made", ""};
    return {Health::bad, "two hosts cannot be made (the reason is above)", "run it as root"};
  } catch (const base::LabError& error) {
    return {Health::bad, error.what(), ""};
  }
}

DoctorCheck ports() {
  if (netns::preferred_port_kind() == netns::PortKind::tap)
    return {Health::good, "NICs are TAP devices", ""};
  return {Health::limited, "NICs are veth pairs: /dev/net/tun may not be opened",
          std::filesystem::exists("/dev/net/tun") ? "sudo chmod 0666 /dev/net/tun"
                                                  : "sudo modprobe tun"};
}

DoctorCheck privilege() {
  if (::geteuid() == 0) return {Health::good, "runs as root", ""};
  return {Health::good, "runs as an ordinary user, in a user namespace", ""};
}

DoctorCheck setting(const std::string& sysctl, const std::string& without) {
  std::string path = "/proc/sys/" + sysctl;
  for (char& c : path)
    if (c == '.') c = '/';
  if (std::filesystem::exists(path)) return {Health::good, "the kernel has " + sysctl, ""};
  return {Health::limited, "the kernel lacks " + sysctl + ": " + without, ""};
}

/// --kernel is a luxury.
DoctorCheck tracepoints() {
  try {
    std::string missing;
    for (const std::string& tracepoint : missing_tracepoints())
      missing += (missing.empty() ? "" : ", ") + tracepoint;
    if (missing.empty()) return {Health::good, "kernels can be listened to (--kernel)", ""};
    return {Health::limited, "kernels can be listened to (--kernel), but for " + missing, ""};
  } catch (const capture::CannotTrace& error) {
    return {Health::limited, std::string("--kernel cannot be had: ") + error.what(), error.mend()};
  }
}

DoctorCheck program(const std::string& name, const std::string& use, const std::string& package) {
  if (!find_program(name).empty()) return {Health::good, name + " is installed (" + use + ")", ""};
  return {Health::limited, name + " is not installed (" + use + ")",
          "sudo apt-get install " + package};
}

DoctorCheck own_dnc() {
  const auto beside = std::filesystem::canonical("/proc/self/exe").parent_path() / "dnc";
  if (std::filesystem::exists(beside) || !find_program("dnc").empty())
    return {Health::good, "dnc is there", ""};
  return {Health::bad, "dnc is neither beside tcplab nor in PATH", "install it beside tcplab"};
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

int doctor() {
  const std::vector<DoctorCheck> findings = {
      kernel(),
      privilege(),
      hosts(),
      ports(),
      own_dnc(),
      setting("net.ipv4.tcp_child_ehash_entries", "looking at all sockets of a host is slower"),
      setting("net.ipv4.tcp_rto_max_ms", "scenarios that need it are skipped"),
      tracepoints(),
      program("tshark", "opens capture.pcapng", "tshark"),
      program("nft", "firewalls and NATs", "nftables"),
      program("conntrack", "firewalls that forget", "conntrack"),
  };
  const reports::Style style = style_of(STDOUT_FILENO);
  bool sound = true;
  for (const DoctorCheck& finding : findings) {
    reports::write_hanging(std::cout, std::string(mark(finding.health)) + "  ", finding.what,
                           reports::Paint::plain, style);
    // A command is copied: it stays in one piece.
    if (!finding.mend.empty()) std::cout << "         to mend it: " << finding.mend << "\n";
    sound = sound && finding.health != Health::bad;
  }
  std::cout << (sound ? "Scenarios can be run here.\n" : "Scenarios cannot be run here.\n");
  return sound ? 0 : 3;
}

}  // namespace

void add_doctor_command(CommandLine& app, Command& chosen) {
  app.add_subcommand("doctor", "What this machine can do, and what to do about what it cannot")
      .callback([&chosen] { chosen = doctor; });
}

}  // namespace tcplab::engine
