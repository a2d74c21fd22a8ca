#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <boost/asio/io_context.hpp>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <functional>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "app/cli/commands.hh"
#include "app/cli/option_checks.hh"
#include "app/suite/run_process.hh"
#include "app/terminal/terminal.hh"
#include "base/error.hh"
#include "base/file_descriptor.hh"
#include "capture/calls/tracer_trial.hh"
#include "lab/hosts/kernel_choice.hh"
#include "lab/hosts/make_host_maker.hh"
#include "lab/programs/lab_program.hh"
#include "lab/programs/needs.hh"
#include "lab/tracepoints/kernel_watch.hh"
#include "netns/chroot.hh"
#include "netns/host_config.hh"
#include "netns/machine_view.hh"
#include "netns/run_space.hh"
#include "netns/subordinate_ids.hh"
#include "reports/text/hanging.hh"
#include "reports/text/json_document.hh"

namespace tcplab::app {

namespace {

// Makes DIR the root of a mount namespace (pivot_root(2)), as chroot(1) does not.
constexpr const char* kEnterFolder =
    "unshare -m sh -c 'mount --rbind DIR DIR && mount --rbind /dev DIR/dev && cd DIR && "
    "pivot_root . mnt && mount -t proc proc /proc && umount -l /mnt && exec sh'";

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
int make_hosts(const lab::KernelChoice& on, std::size_t count) {
  std::vector<netns::HostConfig> configs(count);
  for (std::size_t i = 0; i < configs.size(); ++i) {
    configs[i].name = i == 0 ? "kang" : "kodos";
    netns::NicConfig nic;
    nic.mac = netns::MacAddress::local(static_cast<std::uint16_t>(i + 1));
    configs[i].nics.push_back(nic);
  }
  boost::asio::io_context loop;
  lab::make_host_maker(on, loop)->power_on(configs, [] {});
  return 0;
}

/// True if a run can start its hosts. If not, the reason is on stderr, or it throws base::LabError.
bool can_make_hosts(const lab::KernelChoice& on, std::size_t count) {
  const auto space = start_run(on, {}, [&] { return make_hosts(on, count); });
  siginfo_t info{};
  base::check("wait for the trial",
              ::waitid(P_PIDFD, static_cast<id_t>(space.pidfd.get()), &info, WEXITED));
  return info.si_code == CLD_EXITED && info.si_status == 0;
}

DoctorCheck hosts() {
  if (netns::is_in_chroot())
    return {Health::limited, "hosts", "this is a chroot, and hosts would have the files outside it",
            "instead of chroot DIR: " + std::string(kEnterFolder)};
  if (!std::filesystem::is_character_file("/dev/null"))
    return {Health::limited, "hosts", "/dev/null is missing", "mount -t devtmpfs dev /dev"};
  try {
    if (can_make_hosts({}, 2)) return {Health::good, "hosts", "started two hosts", ""};
    return {Health::limited, "hosts", "cannot start two hosts; the reason is above",
            "sudo tcplab doctor"};
  } catch (const base::LabError& error) {
    return {Health::limited, "hosts", error.what(), ""};
  }
}

DoctorCheck kernel_hosts() {
  const std::string what = "kernel hosts";
  const std::vector<lab::KernelChoice> kernels = lab::known_kernels();
  if (kernels.empty())
    return {Health::limited, what, "no kernel for them is installed; they need no privileges",
            "sudo apt-get install user-mode-linux"};
  const lab::KernelChoice& on = kernels.front();
  try {
    if (can_make_hosts(on, 1))
      return {Health::good, what,
              fmt::format("started one on Linux {}: --kernel {}", on.release, on.version()), ""};
    return {Health::limited, what, "cannot start one; the reason is above", ""};
  } catch (const base::LabError& error) {
    return {Health::limited, what, error.what(), ""};
  }
}

/// Returns the version of Landlock; 0 if the kernel has none (landlock(7)).
long landlock_version() {
  constexpr unsigned kAskVersion = 1;  // LANDLOCK_CREATE_RULESET_VERSION
  return std::max(0L, ::syscall(SYS_landlock_create_ruleset, nullptr, 0, kAskVersion));
}

std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

/// In a run: where programs reach sockets and FIFOs of the machine. Says so on the pipe.
int tell_open_folders(int pipe) {
  const std::string text =
      listed(netns::MachineView({std::filesystem::current_path()}).open_folders());
  return ::write(pipe, text.data(), text.size()) == -1 ? 1 : 0;
}

/// What this machine cannot keep programs of namespace hosts from.
DoctorCheck containment() {
  const std::string what = "containment of programs";
  try {
    base::Pipe pipe = base::make_pipe();
    const int writer = pipe.write_end.get();
    const auto space =
        netns::start_run_space(std::array{writer}, [&] { return tell_open_folders(writer); });
    pipe.write_end.reset();
    std::array<char, 4096> folders{};
    const ssize_t size = ::read(pipe.read_end.get(), folders.data(), folders.size());
    siginfo_t info{};
    base::check("wait for the trial",
                ::waitid(P_PIDFD, static_cast<id_t>(space.pidfd.get()), &info, WEXITED));
    if (size == 0 && info.si_code == CLD_EXITED && info.si_status == 0)
      return {Health::good, what, "programs on hosts cannot reach the machine", ""};
    if (size > 0)
      return {Health::limited, what,
              "overlayfs refuses " + std::string(folders.data(), static_cast<std::size_t>(size)) +
                  ": programs can connect to UNIX sockets there, and write into FIFOs",
              ""};
    return {Health::limited, what, "cannot prepare the files of hosts; the reason is above", ""};
  } catch (const base::LabError&) {
    return {Health::limited, what, "the check of hosts says why it could not be tried", ""};
  }
}

/// What this machine cannot keep the kernels of hosts from.
DoctorCheck kernel_containment() {
  constexpr long kSignals = 6;  // since this version, it also covers signals
  const std::string what = "containment of kernel hosts";
  const long version = landlock_version();
  if (version >= kSignals)
    return {Health::good, what, fmt::format("Landlock, version {}", version), ""};
  if (version > 0)
    return {Health::limited, what,
            fmt::format("Landlock has version {}: a program that takes over the kernel of its host "
                        "could send signals to your processes (fixed in Linux 6.12)",
                        version),
            ""};
  return {Health::limited, what,
          "this kernel has no Landlock: where no namespaces are allowed, a program that takes over "
          "the kernel of its host could write your files",
          "boot with lsm=landlock,... on Linux 5.13 or later"};
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
    const std::string missing = listed(lab::missing_tracepoints());
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
  if (!lab::find_program(name).empty()) return {Health::good, name, "installed; " + use, ""};
  return {Health::limited, name, "not installed; " + use, "sudo apt-get install " + package};
}

DoctorCheck own_dnc() {
  const auto beside = std::filesystem::canonical("/proc/self/exe").parent_path() / "dnc";
  if (std::filesystem::exists(beside)) return {Health::good, "dnc", beside.string(), ""};
  const std::string in_path = lab::find_program("dnc");
  if (!in_path.empty()) return {Health::good, "dnc", in_path, ""};
  return {Health::bad, "dnc", "neither beside tcplab nor in PATH",
          "cp dnc " + beside.parent_path().string()};
}

const char* word(Health health) {
  switch (health) {
    case Health::good:
      return "ok";
    case Health::limited:
      return "limited";
    case Health::bad:
      return "missing";
  }
  return "";
}

/// What the doctor has found.
struct Findings {
  std::vector<DoctorCheck> checks;
  bool can_run = false;
  bool on_namespaces = false;  // whether namespace hosts can be started
};

/// The kernel that runs need; empty if they need none.
std::string needed_kernel(const Findings& findings) {
  if (!findings.can_run || findings.on_namespaces) return "";
  return lab::known_kernels().front().version();
}

/// The last line.
std::string conclusion(const Findings& findings) {
  if (!findings.can_run) return "tcplab cannot run scenarios on this machine.\n";
  const std::string kernel = needed_kernel(findings);
  return "tcplab can run scenarios on this machine" +
         (kernel.empty() ? "" : ", with --kernel " + kernel) + ".\n";
}

void print(const Findings& findings) {
  const reports::Style style = style_of(STDOUT_FILENO);
  for (const DoctorCheck& check : findings.checks) {
    reports::write_hanging(std::cout, fmt::format("{:<7}  ", word(check.health)),
                           check.what + ": " + check.found, reports::Paint::plain, style);
    // Never broken over two lines, so that it can be copied.
    if (!check.fix.empty()) std::cout << "         fix: " << check.fix << "\n";
  }
  std::cout << conclusion(findings);
}

void print_json(const Findings& findings) {
  nlohmann::ordered_json document = reports::json_document("tcplab-doctor");
  document["can_run"] = findings.can_run;
  reports::add_text(document, "needs_kernel", needed_kernel(findings));
  auto& checks = document["checks"] = nlohmann::ordered_json::array();
  for (const DoctorCheck& check : findings.checks) {
    checks.push_back(
        {{"what", check.what}, {"health", word(check.health)}, {"found", check.found}});
    reports::add_text(checks.back(), "fix", check.fix);
  }
  std::cout << reports::json_text(document);
}

Findings examine() {
  netns::require_proc();
  DoctorCheck on_namespaces = hosts();
  DoctorCheck on_kernels = kernel_hosts();
  if (on_namespaces.health != Health::good && on_kernels.health != Health::good)
    on_namespaces.health = on_kernels.health = Health::bad;  // it needs one of them
  std::vector<DoctorCheck> checks = {
      kernel(),
      privilege(),
      on_namespaces,
      on_kernels,
      containment(),
      kernel_containment(),
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
  const bool can_run = std::ranges::none_of(
      checks, [](const DoctorCheck& check) { return check.health == Health::bad; });
  return {std::move(checks), can_run, on_namespaces.health == Health::good};
}

int doctor(bool is_json) {
  const Findings findings = examine();
  if (is_json)
    print_json(findings);
  else
    print(findings);
  return findings.can_run ? 0 : 3;
}

}  // namespace

void add_doctor_command(CLI::App& app, Command& chosen) {
  auto is_json = std::make_shared<bool>(false);
  CLI::App& command =
      *app.add_subcommand("doctor", "Check this machine and print fixes")->group(kMachineCommands);
  command.add_flag("--json", *is_json, kJsonHelp);
  command.footer("Exit status: 0 if scenarios can run, if only with --kernel; 3 if not.");
  command.callback([is_json, &chosen] { chosen = [is_json] { return doctor(*is_json); }; });
}

}  // namespace tcplab::app
