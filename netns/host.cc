#include "netns/host.hh"

#include <linux/netlink.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <fmt/format.h>
#include <optional>
#include <string_view>

#include "base/error.hh"
#include "netns/clone.hh"
#include "netns/host_init.hh"
#include "netns/machine_view.hh"
#include "netns/message.hh"
#include "netns/namespace_program.hh"
#include "netns/netlink.hh"
#include "netns/programs/processes.hh"
#include "netns/spawn.hh"
#include "netns/sysctl.hh"
#include "netns/tap_port.hh"
#include "netns/veth_port.hh"
#include "netns/view/boot.hh"
#include "netns/view/mounts.hh"
#include "netns/view/private_file.hh"
#include "netns/zombie_reaper.hh"

namespace tcplab::netns {

namespace {

using base::FileDescriptor;

void send_signal(const FileDescriptor& pidfd, int signal) {
  // Fails with ESRCH if the process has ended already.
  syscall(SYS_pidfd_send_signal, pidfd.get(), signal, nullptr, 0);
}

/// Returns the settings that make a new network namespace behave like a freshly booted machine.
/// The kernel derives the last two from the size of the namespace's TCP hash table, which a run
/// space makes small; that would cut TIME_WAIT short. A namespace also inherits ip_forward and
/// rp_filter from this machine, which may route for containers.
std::vector<std::pair<std::string, std::string>> stock_sysctls() {
  std::vector<std::pair<std::string, std::string>> settings{{"net.ipv4.ip_forward", "0"},
                                                            {"net.ipv4.conf.all.rp_filter", "0"}};
  for (const char* name : {"net.ipv4.tcp_max_tw_buckets", "net.ipv4.tcp_max_syn_backlog"})
    settings.emplace_back(name, read_sysctl(name));
  return settings;
}

}  // namespace

struct Host::Implementation {
  HostConfig config;
  PortKind kind = PortKind::tap;
  std::shared_ptr<const MachineView> view;  // null if it is not contained
  Child init;
  FileDescriptor channel;  // until the host is up
  FileDescriptor network_namespace;
  FileDescriptor resolver_file;   // to write /etc/resolv.conf; empty if the machine has none
  FileDescriptor time_namespace;  // empty if the kernel has none
  std::map<std::string, std::unique_ptr<Port>> ports;  // by NIC
  std::vector<FileDescriptor> programs;                // pidfds of the programs that we started

  void start(int lab_pidfd);
  void make_veths();
  void finish();
  void close_descriptors();
  void require_power(const std::string& attempt) const;
  NamespaceGuard enter(const std::string& attempt) const;
};

void Host::Implementation::start(int lab_pidfd) {
  Channel pair = make_channel();
  const auto stock = stock_sysctls();
  const timespec now = boot_time();
  // For veth the network namespace must exist when the lab creates the pairs; with TAPs the init
  // makes it.
  init = clone_process(CLONE_NEWPID | (kind == PortKind::veth ? kInitNamespaces : 0));
  if (init.pid == 0)
    run_host_init(
        {config, kind, pair.theirs.get(), lab_pidfd, view ? view->mounts() : -1, now, stock});
  channel = std::move(pair.ours);
}

void Host::Implementation::make_veths() {
  for (const NicConfig& card : config.nics)
    ports[card.name] = std::make_unique<VethPort>(card, init.pid);
  send_message(channel.get(), "the pairs exist");
}

void Host::Implementation::finish() {
  DescriptorMessage answer = receive_message(channel.get());
  channel.reset();
  if (answer.descriptors.empty()) {
    const std::string why = answer.text.empty() ? "its init died while starting" : answer.text;
    throw base::LabError("host " + config.name + ": " + why);
  }
  auto next = answer.descriptors.begin();
  network_namespace = std::move(*next++);
  if (answer.text == kResolverWord) resolver_file = std::move(*next++);
  if (kind == PortKind::tap)
    for (const NicConfig& nic : config.nics)
      ports[nic.name] = std::make_unique<TapPort>(std::move(*next++), nic.has_offloads);
  if (next != answer.descriptors.end()) time_namespace = std::move(*next);
}

void Host::Implementation::close_descriptors() {
  ports.clear();
  network_namespace.reset();
  resolver_file.reset();
  time_namespace.reset();
}

void Host::Implementation::require_power(const std::string& attempt) const {
  if (!init.pidfd)
    throw base::LabError(config.name + ": cannot " + attempt + ": the host has no power");
}

/// Enters the network namespace.
NamespaceGuard Host::Implementation::enter(const std::string& attempt) const {
  require_power(attempt);
  return NamespaceGuard(network_namespace.get());
}

PortKind preferred_port_kind() {
  const char* forced = std::getenv("TCPLAB_PORTS");
  const std::string_view choice = forced == nullptr ? "" : forced;
  if (choice == "tap") return PortKind::tap;
  if (choice == "veth") return PortKind::veth;
  if (!choice.empty())
    throw base::UsageError(
        fmt::format("TCPLAB_PORTS={}: set it to tap or veth, or unset it", choice));
  return can_open_tap() ? PortKind::tap : PortKind::veth;
}

std::vector<std::unique_ptr<Host>> Host::power_on(std::span<const HostConfig> configs,
                                                  PortKind kind,
                                                  const std::function<void()>& meanwhile) {
  ZombieReaper::instance().reap();
  const FileDescriptor lab = own_pidfd();
  const auto view = view_for(configs);
  std::vector<std::unique_ptr<Host>> hosts;
  for (const HostConfig& config : configs) {
    auto implementation = std::make_unique<Implementation>();
    implementation->config = config;
    implementation->kind = kind;
    if (config.containment) implementation->view = view;
    implementation->start(lab.get());
    hosts.push_back(std::unique_ptr<Host>(new Host(std::move(implementation))));
  }
  if (kind == PortKind::veth)
    for (const auto& host : hosts) host->implementation_->make_veths();
  for (const auto& host : hosts) {
    await_readable(host->implementation_->channel.get(), meanwhile);
    host->implementation_->finish();
  }
  return hosts;
}

/// The sysctls of the host's network namespace.
class Host::NamespaceSysctls : public KernelSysctls {
public:
  explicit NamespaceSysctls(const Implementation& host) : host_(host) {}

  void write(const std::string& name, const std::string& value) override {
    const NamespaceGuard inside = host_.enter("set sysctl " + name);
    write_sysctl(name, value);
  }

  std::string read(const std::string& name) override {
    const NamespaceGuard inside = host_.enter("read sysctl " + name);
    return read_sysctl(name);
  }

  bool has(const std::string& name) override {
    const NamespaceGuard inside = host_.enter("look for sysctl " + name);
    return has_sysctl(name);
  }

private:
  const Implementation& host_;
};

Host::Host(std::unique_ptr<Implementation> implementation)
    : implementation_(std::move(implementation)),
      sysctls_(std::make_unique<NamespaceSysctls>(*implementation_)) {}

Host::~Host() { power_off(); }

const HostConfig& Host::config() const { return implementation_->config; }

Port& Host::port(const std::string& nic) {
  const auto found = implementation_->ports.find(nic);
  if (found == implementation_->ports.end())
    throw base::LabError("host " + config().name + " has no NIC " + nic + ", or has no power");
  return *found->second;
}

int Host::network_namespace() const { return implementation_->network_namespace.get(); }

std::unique_ptr<base::KernelQuestions> Host::ask_sockets() {
  const NamespaceGuard inside = implementation_->enter("ask for its sockets");
  return base::ask_this_kernel(NETLINK_SOCK_DIAG);
}

std::unique_ptr<base::KernelNews> Host::hear_destroyed() {
  const NamespaceGuard inside = implementation_->enter("hear of its sockets");
  return base::hear_destroyed_sockets();
}

std::unique_ptr<base::KernelQuestions> Host::ask_network(const std::string& attempt) {
  const NamespaceGuard inside = implementation_->enter(attempt);
  return base::ask_this_kernel(NETLINK_ROUTE);
}

Spawned Host::spawn(const SpawnRequest& request) {
  implementation_->require_power("run a program");
  auto& programs = implementation_->programs;
  std::erase_if(programs, [](const FileDescriptor& pidfd) { return has_ended(pidfd.get()); });
  Spawned spawned = spawn_program({.host = config().name,
                                   .init_pidfd = implementation_->init.pidfd.get(),
                                   .time_namespace = implementation_->time_namespace.get(),
                                   .view = implementation_->view.get()},
                                  request);
  programs.push_back(duplicate(spawned.pidfd.get()));
  return spawned;
}

std::unique_ptr<RunningProgram> Host::start(const SpawnRequest& request) {
  return std::make_unique<NamespaceProgram>(spawn(request), request.mark);
}

std::vector<pid_t> Host::processes() const {
  if (!implementation_->init.pidfd) return {};
  return list_processes(implementation_->init.pid);
}

void Host::signal_programs(int signal) {
  for (const pid_t process : processes()) ::kill(process, signal);
}

std::string Host::do_inside(const std::function<void()>& task) {
  implementation_->require_power("enter it");
  return netns::do_inside(implementation_->init.pidfd.get(), task);
}

void Host::write_private_file(const PrivateFile& file) {
  const std::string wrong = do_inside([&] { write_private(file); });
  if (!wrong.empty()) throw base::UsageError(config().name + ": " + wrong);
}

void Host::write_resolver_file(const std::string& text) {
  implementation_->require_power("write /etc/resolv.conf");
  try {
    netns::write_resolver_file(implementation_->resolver_file, text);
  } catch (const base::LabError& error) {
    throw base::LabError(config().name + ": " + error.what());
  }
}

void Host::power_off() {
  if (!implementation_->init.pidfd) return;
  // Kill our own children first: they stop at once, while the init's death takes longer to spread.
  for (const FileDescriptor& program : implementation_->programs) send_signal(program, SIGKILL);
  implementation_->programs.clear();
  // The init has a copy of each TAP. To close the last copy takes the kernel tens of milliseconds,
  // because it unregisters the NIC.
  implementation_->close_descriptors();
  const bool is_up = !implementation_->channel;
  send_signal(implementation_->init.pidfd, is_up ? kPowerOff : SIGKILL);
  ZombieReaper::instance().add(std::move(implementation_->init.pidfd));
}

}  // namespace tcplab::netns
