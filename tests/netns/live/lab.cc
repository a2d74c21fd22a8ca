#include "tests/netns/live/lab.hh"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "base/error.hh"
#include "netns/message.hh"
#include "netns/run_space.hh"
#include "netns/tap_port.hh"

namespace tcplab::tests {

namespace {

struct Unexpected : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Returns the offset of the TCP header; 0 for other frames.
std::size_t tcp_offset(const std::vector<std::uint8_t>& bytes) {
  if (bytes.size() < 54) return 0;
  if (bytes[12] == 0x08 && bytes[13] == 0x00 && bytes[23] == 6) return 34;
  if (bytes.size() >= 74 && bytes[12] == 0x86 && bytes[13] == 0xdd && bytes[20] == 6) return 54;
  return 0;
}

}  // namespace

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string read_all(int descriptor) {
  std::string all;
  std::array<char, 4096> piece{};
  for (ssize_t size; (size = ::read(descriptor, piece.data(), piece.size())) > 0;)
    all.append(piece.data(), static_cast<std::size_t>(size));
  return all;
}

void expect(bool condition, const std::string& what) {
  if (!condition) throw Unexpected("not as expected: " + what);
}

std::string run_lab(const std::function<void()>& body) {
  base::Pipe report = base::make_pipe();
  const int write_end = report.write_end.get();
  const auto reporting_body = [&] {
    try {
      body();
      return 0;
    } catch (const std::exception& error) {
      const std::string text = error.what();
      return ::write(write_end, text.data(), text.size()) > 0 ? 1 : 2;
    }
  };
  auto space = netns::start_run_space(std::array{write_end}, reporting_body);
  report.write_end.reset();
  const std::string text = read_all(report.read_end.get());
  const int status = netns::wait_for({space.pid, std::move(space.pidfd)});
  if (status == 0 || !text.empty()) return text;
  return "the run space ended with status " + std::to_string(status);
}

bool SeenFrame::is_tcp() const { return tcp_offset(bytes) != 0; }
std::uint8_t SeenFrame::tcp_flags() const { return bytes.at(tcp_offset(bytes) + 13); }
std::uint16_t SeenFrame::source_port() const {
  const std::size_t at = tcp_offset(bytes);
  return static_cast<std::uint16_t>(bytes.at(at) << 8 | bytes.at(at + 1));
}

netns::FrameDecision FrameRecord::frame_sent(netns::Frame& frame) {
  frames.push_back({frame.from, false, {frame.bytes.begin(), frame.bytes.end()}, frame.sent});
  return netns::FrameDecision::deliver;
}

void FrameRecord::frame_delivered(const netns::Frame&, netns::PortId, base::Instant) {
  if (!frames.empty()) frames.back().delivered = true;
}

void FrameRecord::frame_undelivered(const netns::Frame&, netns::Undelivered) {}

std::size_t FrameRecord::count_from(netns::PortId port) const {
  return static_cast<std::size_t>(
      std::ranges::count_if(frames, [port](const SeenFrame& seen) { return seen.from == port; }));
}

netns::HostConfig host_config(const std::string& name, std::uint8_t number) {
  const auto last = std::to_string(number);
  netns::HostConfig config;
  config.name = name;
  config.nics.push_back({.mac = netns::MacAddress::local(number),
                         .addresses = {{*base::IpAddress::parse("10.0.0." + last), 24},
                                       {*base::IpAddress::parse("fd00::" + last), 64}}});
  return config;
}

std::vector<netns::HostConfig> pair_config() {
  std::vector configs{host_config("kang", 1), host_config("kodos", 2)};
  for (auto& config : configs)
    config.names = {{"kang", *base::IpAddress::parse("10.0.0.1")},
                    {"kodos", *base::IpAddress::parse("10.0.0.2")}};
  return configs;
}

Pair::Pair(netns::PortKind kind, const std::vector<netns::HostConfig>& configs)
    : hosts(netns::Host::power_on(configs, kind)),
      kang_port(wire.attach(kang().port("eth0"), configs[0].nics[0].mac)),
      kodos_port(wire.attach(kodos().port("eth0"), configs[1].nics[0].mac)) {}

void Pair::run_until(const std::function<bool()>& condition, const std::string& what) {
  const auto deadline = base::now() + std::chrono::seconds(60);
  while (!condition()) {
    expect(base::now() < deadline, "in 60 s: " + what);
    loop.run_one_for(std::chrono::milliseconds(1));  // then check the condition again
  }
}

Running::Running(netns::Host& host, std::vector<std::string> command) {
  base::Pipe pipe = base::make_pipe();
  auto spawned = host.spawn({.command = std::move(command),
                             .environment = {},
                             .descriptors = {{1, pipe.write_end.get()}, {2, STDERR_FILENO}}});
  pipe_ = std::move(pipe.read_end);
  fcntl(pipe_.get(), F_SETFL, O_NONBLOCK);
  child_ = {spawned.pid, std::move(spawned.pidfd)};
}

Running::~Running() {
  if (reaped_) return;
  signal(SIGKILL);
  netns::wait_for(child_);
}

void Running::signal(int number) {
  syscall(SYS_pidfd_send_signal, child_.pidfd.get(), number, nullptr, 0);
}

int Running::status() {
  reaped_ = true;
  return netns::wait_for(child_);
}

const std::string& Running::output() { return output_ += read_all(pipe_.get()); }

std::string output_of(Pair& pair, netns::Host& host, std::vector<std::string> command) {
  const std::string name = command.back();
  Running program(host, std::move(command));
  pair.run_until([&] { return program.ended(); }, name + " ends");
  const std::string output = program.output();
  const int status = program.status();
  expect(status == 0, name + " succeeds; it wrote: " + output);
  return output;
}

std::vector<std::string> helper(const std::string& program, std::vector<std::string> arguments) {
  std::vector<std::string> command{"/proc/self/exe", "--test-program", program};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return command;
}

std::vector<netns::PortKind> port_kinds() {
  if (!netns::can_open_tap()) return {netns::PortKind::veth};
  return {netns::PortKind::tap, netns::PortKind::veth};
}

}  // namespace tcplab::tests
