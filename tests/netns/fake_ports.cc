#include "tests/netns/fake_ports.hh"

#include <sys/socket.h>

#include <array>
#include <fmt/format.h>

#include "base/error.hh"

namespace tcplab::tests {

const MacAddress kBroadcast{{0xff, 0xff, 0xff, 0xff, 0xff, 0xff}};

namespace {

constexpr std::size_t kHeaderSize = 14;

unsigned number(PortId id) { return static_cast<unsigned>(id); }

}  // namespace

FakePort::FakePort() {
  int ends[2];
  base::check("make a socket pair",
              socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends));
  ours_ = base::FileDescriptor(ends[0]);
  hosts_ = base::FileDescriptor(ends[1]);
}

std::optional<netns::Received> FakePort::read(std::span<std::uint8_t> buffer) {
  const ssize_t size = recv(ours_.get(), buffer.data(), buffer.size(), 0);
  if (size < 0) return std::nullopt;
  const netns::Received taken{.size = static_cast<std::size_t>(size), .sent = next_sent()};
  if (!times_.empty()) times_.pop_front();
  return taken;
}

std::optional<base::Instant> FakePort::next_sent() {
  return times_.empty() ? std::nullopt : std::optional(times_.front());
}

bool FakePort::write(netns::Bytes frame, const netns::Offload&) {
  if (refuses) return false;
  received.emplace_back(frame.begin() + kHeaderSize, frame.end());
  on_write();
  return true;
}

void FakePort::host_sends(const std::vector<std::uint8_t>& frame) {
  base::check("send as the host", send(hosts_.get(), frame.data(), frame.size(), 0));
}

void FakePort::host_sends(const std::vector<std::uint8_t>& frame, base::Instant sent) {
  host_sends(frame);
  times_.push_back(sent);
}

std::vector<std::uint8_t> frame(MacAddress to, MacAddress from, const std::string& text) {
  std::vector<std::uint8_t> bytes(to.bytes.begin(), to.bytes.end());
  bytes.insert(bytes.end(), from.bytes.begin(), from.bytes.end());
  bytes.insert(bytes.end(), {0x88, 0xb5});
  bytes.insert(bytes.end(), text.begin(), text.end());
  return bytes;
}

FrameDecision RecordingObserver::frame_sent(Frame& frame) {
  record.push_back(fmt::format("sent {} by {}", frame.number, number(frame.from)));
  return on_sent(frame);
}

void RecordingObserver::frame_delivered(const Frame& frame, PortId to, base::Instant at) {
  record.push_back(fmt::format("delivered {} to {}", frame.number, number(to)));
  delivered = at;
  on_delivered(frame, to);
}

void RecordingObserver::frame_undelivered(const Frame& frame, netns::Undelivered why) {
  static constexpr std::array kWords = {"sender gone", "receiver down", "nobody else",
                                        "receiver gone", "unknown address"};
  record.push_back(fmt::format("undelivered {}: {}", frame.number, kWords.at(std::size_t(why))));
}

}  // namespace tcplab::tests
