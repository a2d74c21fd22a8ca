#include "lab/hosts/stack_machine.hh"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/error.hh"
#include "netns/clone.hh"
#include "netns/zombie_reaper.hh"

namespace tcplab::lab {

namespace {

using boost::asio::posix::stream_descriptor;

// Of the processes of a stack; programs count from 1.
constexpr netns::ProcessMark kStackMark{.number = 1'000'000'000};
constexpr int kNic = 3;                       // in the stack
constexpr int kClock = 4;                     // in the stack
constexpr int kBell = 5;                      // in the stack
constexpr int kChannel = 4;                   // in dnc
constexpr int kClockOfProgram = 1000;         // in dnc, whose sockets have the lowest numbers
constexpr std::size_t kLinkHeaders = 14 + 4;  // Ethernet, with a VLAN tag
constexpr std::size_t kLongestErrorLine = 200;
constexpr std::size_t kMostUnheard = 100;  // pieces of output while it boots

/// "10.0.0.2/24"; empty if the NIC has no address of that family.
std::string address_of(const netns::NicConfig& nic, base::Family family) {
  for (const netns::InterfaceAddress& each : nic.addresses)
    if (each.address.family == family)
      return fmt::format("{}/{}", each.address.to_string(), each.prefix_length);
  return "";
}

std::string gateway_of(const netns::HostConfig& config, base::Family family) {
  for (const netns::RouteConfig& route : config.routes)
    if (route.kind == netns::RouteKind::via && route.gateway.family == family)
      return route.gateway.to_string();
  return "";
}

std::array<base::FileDescriptor, 2> make_cable() {
  std::array<int, 2> ends{};
  base::check("make the NIC of a stack",
              ::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()));
  return {base::FileDescriptor(ends[0]), base::FileDescriptor(ends[1])};
}

}  // namespace

StackMachine::StackMachine(boost::asio::io_context& loop, netns::HostConfig config,
                           StackChoice stack, std::unique_ptr<netns::Machine> surroundings,
                           StackClock* clock)
    : config_(std::move(config)),
      stack_(std::move(stack)),
      surroundings_(std::move(surroundings)),
      errors_(loop) {
  auto [ours, theirs] = make_cable();
  port_ = std::make_unique<StackPort>(std::move(ours), config_.nics.front().mtu + kLinkHeaders);
  base::Pipe input = base::make_pipe();
  base::Pipe output = base::make_pipe();
  base::Pipe errors = base::make_pipe();
  netns::SpawnRequest request{.command = {"/bin/sh", "-c", stack_.command},
                              .environment = environment(),
                              .inherits_environment = false,
                              .privileges = netns::Privileges::server};
  request.mark = kStackMark;
  request.descriptors = {{0, input.read_end.get()},
                         {1, output.write_end.get()},
                         {2, errors.write_end.get()},
                         {kNic, theirs.get()}};
  if (clock != nullptr) {
    clock_ = clock->add(config_.name, [this] { return namespaces()->processes(); });
    clock_->give_to(request, kClock);
    clock_->give_bell_to(request, kBell);
  }
  process_ = surroundings_->start(request);
  calls_ =
      std::make_unique<StackCalls>(loop, std::move(input.write_end), std::move(output.read_end));
  calls_->on_line = [this](const std::string& line) { note_line(line); };
  calls_->on_end = [this] { ended(); };
  base::check("make a pipe non-blocking", ::fcntl(errors.read_end.get(), F_SETFL, O_NONBLOCK));
  errors_.assign(errors.read_end.release());
  listen_to_errors();
}

StackMachine::~StackMachine() { power_off(); }

netns::Environment StackMachine::environment() const {
  const netns::NicConfig& nic = config_.nics.front();
  const char* const path = std::getenv("PATH");
  return {{"PATH", path != nullptr ? path : "/usr/bin:/bin"},
          {"TCPLAB_HOST", config_.name},
          {"TCPLAB_MAC", nic.mac.to_string()},
          {"TCPLAB_MTU", std::to_string(nic.mtu)},
          {"TCPLAB_IPV4", address_of(nic, base::Family::ipv4)},
          {"TCPLAB_IPV6", address_of(nic, base::Family::ipv6)},
          {"TCPLAB_GATEWAY4", gateway_of(config_, base::Family::ipv4)},
          {"TCPLAB_GATEWAY6", gateway_of(config_, base::Family::ipv6)}};
}

void StackMachine::listen_to_errors() {
  errors_.async_wait(stream_descriptor::wait_read, [this](const boost::system::error_code& error) {
    if (error) return;
    if (read_errors()) listen_to_errors();
  });
}

/// Returns false at the end.
bool StackMachine::read_errors() {
  std::array<char, 4096> block{};
  ssize_t size = 0;
  while ((size = ::read(errors_.native_handle(), block.data(), block.size())) > 0) {
    error_line_.append(block.data(), static_cast<std::size_t>(size));
    for (auto end = error_line_.find('\n'); end != std::string::npos;
         end = error_line_.find('\n')) {
      note_error(error_line_.substr(0, end));
      error_line_.erase(0, end + 1);
    }
  }
  if (size == -1) return true;  // EAGAIN
  if (!error_line_.empty()) note_error(std::exchange(error_line_, {}));
  return false;
}

void StackMachine::note_error(const std::string& line) {
  has_written("stderr", line + "\n");
  // The trace of goroutines follows the panic of a Go program.
  if (!line.empty() && !last_error_.starts_with("panic: ")) last_error_ = line;
}

void StackMachine::hear_stack(const Hearing& hear) {
  hear_ = hear;
  for (const auto& [stream, text] : std::exchange(unheard_, {})) hear_(stream, text);
}

void StackMachine::has_written(const std::string& stream, const std::string& text) {
  if (hear_)
    hear_(stream, text);
  else if (unheard_.size() < kMostUnheard)
    unheard_.emplace_back(stream, text);
}

/// Reads {"ready":"echo","port":7}.
netns::StackService read_service(const nlohmann::json& said, const std::string& stack) {
  const nlohmann::json& level = said["ready"];
  if (level == "calls") return {};
  netns::StackService service{.makes_calls = false, .echoes = level == "echo"};
  if (level == "frames") return service;
  if (level != "port" && !service.echoes)
    throw base::LabError(stack + R"( is ready for )" + level.dump() +
                         R"(; it should be "calls", "echo", "port" or "frames" (docs/stacks.md))");
  const nlohmann::json port = said.value("port", nlohmann::json());
  if (!port.is_number_integer() || port < 1 || port > 65535)
    throw base::LabError(stack + " should say on which port it listens, as in " +
                         R"({"ready":"echo","port":7} (docs/stacks.md))");
  service.port = port.get<std::uint16_t>();
  return service;
}

/// A line that is no answer: it says what the stack can do (docs/stacks.md), or is for people.
void StackMachine::note_line(const std::string& line) {
  const nlohmann::json said = nlohmann::json::parse(line, nullptr, false);
  if (!said.is_object() || !said.contains("ready")) return has_written("stdout", line + "\n");
  service_ = read_service(said, config_.name + ": its TCP stack " + stack_.name);
  is_ready_ = true;
}

void StackMachine::ended() {
  process_->await_end(false, std::chrono::milliseconds(100));  // a process closes its pipes first
  read_errors();
  const auto end = process_->try_wait();
  const std::string how = !end              ? "has closed its standard output"
                          : end->has_exited ? fmt::format("has exited with status {}", end->value)
                                            : "was killed by " + base::signal_name(end->value);
  const std::string said = last_error_.substr(0, kLongestErrorLine);
  throw base::LabError(fmt::format("{}: its TCP stack {} {}{}", config_.name, stack_.name, how,
                                   said.empty() ? "" : ": " + said));
}

void StackMachine::await_ready(const std::function<void()>& meanwhile) {
  const base::Instant until = base::now() + stack_.boot;
  while (!is_ready_) {
    calls_->await_answer(std::chrono::milliseconds(1));
    if (meanwhile) meanwhile();
    if (base::now() < until) continue;
    throw base::LabError(
        fmt::format("{}: its TCP stack {} was not ready after {} s: it should print "
                    "{{\"ready\":\"calls\"}} (docs/stacks.md)",
                    config_.name, stack_.name,
                    std::chrono::duration_cast<std::chrono::seconds>(stack_.boot).count()));
  }
}

netns::Port& StackMachine::port(const std::string& nic) {
  if (!port_ || config_.nics.front().name != nic)
    throw base::LabError("host " + config_.name + " has no NIC " + nic + ", or has no power");
  return *port_;
}

std::unique_ptr<base::KernelQuestions> StackMachine::ask_sockets() {
  throw base::LabError(config_.name + ": nobody can ask for the sockets of " + stack_.name);
}

std::unique_ptr<base::KernelNews> StackMachine::hear_destroyed() {
  throw base::LabError(config_.name + ": nobody hears of the sockets of " + stack_.name);
}

std::unique_ptr<netns::RunningProgram> StackMachine::start(const netns::SpawnRequest& request) {
  const base::FileDescriptor channel = calls_->add_program();
  netns::SpawnRequest on_stack = request;
  on_stack.command.insert(on_stack.command.begin() + 1, {"--stack", std::to_string(kChannel)});
  on_stack.descriptors[kChannel] = channel.get();
  if (clock_) clock_->give_to(on_stack, kClockOfProgram);
  return surroundings_->start(on_stack);
}

void StackMachine::settle(const std::function<void()>& meanwhile) { calls_->settle(meanwhile); }

/// The stack is the host's kernel, and not one of its programs.
void StackMachine::signal_programs(int signal) {
  const std::vector<pid_t> kernel = netns::list_processes(kStackMark);
  for (const pid_t process : namespaces()->processes())
    if (std::ranges::find(kernel, process) == kernel.end()) ::kill(process, signal);
}

std::unique_ptr<base::KernelQuestions> StackMachine::ask_network(const std::string& attempt) {
  throw base::UsageError(config_.name + ": cannot " + attempt + ": its network is that of " +
                         stack_.name);
}

void StackMachine::write_resolver_file(const std::string& text) {
  surroundings_->write_resolver_file(text);
}

void StackMachine::write_private_file(const netns::PrivateFile& file) {
  surroundings_->write_private_file(file);
}

void StackMachine::power_off() {
  if (!surroundings_) return;
  calls_.reset();
  errors_.close();
  clock_.reset();
  surroundings_->power_off();
  // The init of the surroundings cannot end before somebody has reaped the stack.
  netns::ZombieReaper::instance().add(netns::duplicate(process_->end_descriptor()));
  port_.reset();
  process_.reset();
  surroundings_.reset();
}

}  // namespace tcplab::lab
