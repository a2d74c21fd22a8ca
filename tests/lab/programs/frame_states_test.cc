// Checks which states follow from the frames of one host.
#include "lab/programs/frame_states.hh"

#include "capture/event/event_words.hh"
#include "tests/catch.hh"

using namespace tcplab;
using namespace tcplab::lab;
using capture::TcpFlags;

namespace {

const base::Endpoint kOwn = base::Endpoint::parse("10.0.0.1:40000").value();
const base::Endpoint kOther = base::Endpoint::parse("10.0.0.2:8080").value();

struct Numbers {
  std::uint32_t sequence = 0;
  std::uint32_t acknowledgment = 0;
};

/// A host, and the states that its frames show, as "SYN_SENT ESTABLISHED".
class Observed {
public:
  void sends(int flags, const Numbers& numbers) { note(true, flags, numbers); }
  void gets(int flags, const Numbers& numbers) { note(false, flags, numbers); }
  void connects() {
    sends(TcpFlags::kSyn, {100, 0});
    gets(TcpFlags::kSyn | TcpFlags::kAck, {500, 101});
    sends(TcpFlags::kAck, {101, 501});
  }
  const std::string& states() const { return states_; }

private:
  void note(bool is_sent, int flags, const Numbers& numbers) {
    capture::DecodedFrame frame;
    const base::Endpoint& from = is_sent ? kOwn : kOther;
    const base::Endpoint& to = is_sent ? kOther : kOwn;
    frame.ip.emplace();
    frame.ip->source = from.address;
    frame.ip->destination = to.address;
    frame.tcp.emplace();
    frame.tcp->source_port = from.port;
    frame.tcp->destination_port = to.port;
    frame.tcp->flags = static_cast<std::uint16_t>(flags);
    frame.tcp->sequence = numbers.sequence;
    frame.tcp->acknowledgment = numbers.acknowledgment;
    frame.tcp->window = 500;
    for (const auto& [key, state] :
         followed_.note(frame, is_sent, at_ += base::nanoseconds(1000))) {
      CHECK(key == ConnectionKey{kOwn, kOther});
      states_ += (states_.empty() ? "" : " ") + std::string(name(state));
    }
  }

  FrameStates followed_;
  base::Instant at_ = base::from_nanoseconds(1'000'000);
  std::string states_;
};

constexpr int kFinAck = TcpFlags::kFin | TcpFlags::kAck;
constexpr int kRstAck = TcpFlags::kRst | TcpFlags::kAck;

}  // namespace

TEST_CASE("The states of a host that closes first follow from its frames") {
  Observed host;
  host.connects();
  CHECK(host.states() == "SYN_SENT ESTABLISHED");
  host.sends(kFinAck, {101, 501});
  host.gets(TcpFlags::kAck, {501, 102});
  host.gets(kFinAck, {501, 102});
  CHECK(host.states() == "SYN_SENT ESTABLISHED FIN_WAIT1 FIN_WAIT2");
  host.sends(TcpFlags::kAck, {102, 502});
  CHECK(host.states() == "SYN_SENT ESTABLISHED FIN_WAIT1 FIN_WAIT2 TIME_WAIT");
}

TEST_CASE("The states of a host that accepts and closes second follow from its frames") {
  Observed host;
  host.gets(TcpFlags::kSyn, {500, 0});
  CHECK(host.states().empty());
  host.sends(TcpFlags::kSyn | TcpFlags::kAck, {100, 501});
  host.gets(TcpFlags::kAck, {501, 101});
  host.gets(kFinAck, {501, 101});
  host.sends(TcpFlags::kAck, {101, 502});
  CHECK(host.states() == "SYN_RECV ESTABLISHED CLOSE_WAIT");
  host.sends(kFinAck, {101, 502});
  host.gets(TcpFlags::kAck, {502, 102});
  CHECK(host.states() == "SYN_RECV ESTABLISHED CLOSE_WAIT LAST_ACK CLOSED");
}

TEST_CASE("An exact RST closes a connection; one within the window proves nothing") {
  Observed exact;
  exact.connects();
  exact.gets(TcpFlags::kRst, {501, 0});
  CHECK(exact.states() == "SYN_SENT ESTABLISHED CLOSED");
  Observed within;
  within.connects();
  within.gets(TcpFlags::kRst, {601, 0});
  CHECK(within.states() == "SYN_SENT ESTABLISHED");
}

TEST_CASE("A refused SYN, and what comes without a connection") {
  Observed refused;
  refused.sends(TcpFlags::kSyn, {100, 0});
  refused.gets(kRstAck, {0, 101});
  CHECK(refused.states() == "SYN_SENT CLOSED");
  Observed stray;
  stray.gets(TcpFlags::kAck, {7, 7});
  stray.sends(TcpFlags::kRst, {7, 0});
  CHECK(stray.states().empty());
}
