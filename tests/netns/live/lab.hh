// Two hosts on a wire in a run space, for live tests. The test's body runs in another process,
// where Catch2's assertions do not work. It calls expect() instead; run_lab() returns the first
// expectation that failed, and the test compares that with "".
#pragma once

#include <boost/asio/io_context.hpp>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.hh"
#include "netns/clone.hh"
#include "netns/host.hh"
#include "netns/wire.hh"

namespace tcplab::tests {

/// Ends the body, with `what` as the failed expectation, unless `condition` holds.
void expect(bool condition, const std::string& what);

bool contains(const std::string& text, const std::string& part);
/// Reads a descriptor to its end.
std::string read_all(int descriptor);

/// Runs `body` in a run space. Returns the failed expectation; "" if none failed.
std::string run_lab(const std::function<void()>& body);

/// A frame that the observer saw.
struct SeenFrame {
  netns::PortId from{};
  bool delivered = false;
  std::vector<std::uint8_t> bytes;
  base::Instant sent{};

  bool is_tcp() const;  // IPv4 without options or IPv6 without extensions
  std::uint8_t tcp_flags() const;
  std::uint16_t source_port() const;
};
constexpr std::uint8_t kRst = 4;

class FrameRecord : public netns::WireObserver {
public:
  netns::FrameDecision frame_sent(netns::Frame& frame) override;
  void frame_delivered(const netns::Frame& frame, netns::PortId to, base::Instant at) override;
  void frame_undelivered(const netns::Frame& frame, netns::Undelivered why) override;

  std::vector<SeenFrame> frames;
  std::size_t count_from(netns::PortId port) const;
};

/// Returns a host with 10.0.0.<number>/24 and fd00::<number>/64 on eth0; kang is 1, kodos is 2.
netns::HostConfig host_config(const std::string& name, std::uint8_t number);
std::vector<netns::HostConfig> pair_config();

/// kang and kodos, powered on and attached to a wire.
struct Pair {
  explicit Pair(netns::PortKind kind,
                const std::vector<netns::HostConfig>& configs = pair_config());

  boost::asio::io_context loop;
  FrameRecord record;
  netns::Wire wire{loop, record};
  std::vector<std::unique_ptr<netns::Host>> hosts;
  netns::PortId kang_port{}, kodos_port{};

  netns::Host& kang() { return *hosts[0]; }
  netns::Host& kodos() { return *hosts[1]; }
  /// Runs the event loop until `condition` holds. Ends the body if that takes longer than 10 s.
  void run_until(const std::function<bool()>& condition, const std::string& what);
};

/// A program on a host, with its standard output.
class Running {
public:
  Running(netns::Host& host, std::vector<std::string> command);
  ~Running();
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  pid_t pid() const { return child_.pid; }
  void signal(int number);
  bool ended() const { return netns::has_ended(child_.pidfd.get()); }
  int status();  // waits for the end; see netns::wait_for()
  /// Returns what the program has written so far.
  const std::string& output();

private:
  base::FileDescriptor pipe_;
  netns::Child child_;
  std::string output_;
  bool reaped_ = false;
};

/// Runs a program to its end, with the wire, and returns its output. Expects status 0.
std::string output_of(Pair& pair, netns::Host& host, std::vector<std::string> command);

/// Returns the command that runs a helper program (see programs.cc) of this test executable.
std::vector<std::string> helper(const std::string& program,
                                std::vector<std::string> arguments = {});

/// Returns the kinds of port that this machine allows.
std::vector<netns::PortKind> port_kinds();

}  // namespace tcplab::tests
