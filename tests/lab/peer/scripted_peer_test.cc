// Checks the connections of a peer, with frames of a host.
#include "lab/peer/scripted_peer.hh"

#include "tests/catch.hh"

using namespace tcplab;
using namespace tcplab::lab;
using capture::TcpFlags;

namespace {

const base::Endpoint kOwn = base::Endpoint::parse("10.0.0.1:80").value();
const base::Endpoint kHost = base::Endpoint::parse("10.0.0.2:40000").value();
constexpr ForgedLink kFromHost = {.from = {{2, 0, 0, 0, 0, 2}}, .to = {{2, 0, 0, 0, 0, 1}}};
constexpr ForgedLink kToHost = {.from = kFromHost.to, .to = kFromHost.from};
const base::Instant kBegin = base::from_nanoseconds(1'000'000'000);

ForgedSegment from_host(std::uint16_t flags, std::uint32_t sequence, const std::string& data = "") {
  ForgedSegment segment;
  segment.link = kFromHost;
  segment.from = kHost;
  segment.to = kOwn;
  segment.flags = flags;
  segment.sequence = sequence;
  segment.data = data;
  return segment;
}

/// Delivers frames to a peer, and decodes what it answers.
class Delivery {
public:
  ScriptedPeer peer;

  std::optional<std::uint32_t> acknowledgment_of(const ForgedSegment& segment) {
    const auto answer = peer.delivered(++frame_, forge(segment), kBegin);
    if (!answer) return std::nullopt;
    const capture::DecodedFrame decoded = capture::decode(*answer);
    CHECK(decoded.tcp->flags == TcpFlags::kAck);
    CHECK(decoded.ip->source == kOwn.address);
    CHECK(decoded.ethernet->destination == kFromHost.from.bytes);
    return decoded.tcp->acknowledgment;
  }

private:
  std::uint64_t frame_ = 0;
};

std::shared_ptr<PeerConnection> accepted(Delivery& delivery) {
  CHECK_FALSE(delivery.acknowledgment_of(from_host(TcpFlags::kSyn, 100)));
  auto made = delivery.peer.take_syn(80, 7000);
  REQUIRE(made != nullptr);
  made->expect_next();
  return made;
}

}  // namespace

TEST_CASE("a SYN waits until the script takes its port") {
  Delivery delivery;
  CHECK(delivery.peer.take_syn(80, std::nullopt) == nullptr);
  delivery.acknowledgment_of(from_host(TcpFlags::kSyn, 100));
  delivery.acknowledgment_of(from_host(TcpFlags::kSyn, 100));  // again
  CHECK(delivery.peer.take_syn(81, std::nullopt) == nullptr);
  const auto made = delivery.peer.take_syn(80, 7000);
  REQUIRE(made != nullptr);
  CHECK(made->flow() == capture::FlowKey{kOwn, kHost});
  CHECK(made->waiting().size() == 2);
  CHECK(made->numbers().irs() == 100U);
  CHECK(delivery.peer.take_syn(80, std::nullopt) == nullptr);
}

TEST_CASE("a segment of no connection is no news, unless it follows a SYN") {
  Delivery delivery;
  delivery.acknowledgment_of(from_host(TcpFlags::kAck, 100, "lost"));
  delivery.acknowledgment_of(from_host(TcpFlags::kSyn | TcpFlags::kAck, 100));
  CHECK(delivery.peer.take_syn(80, std::nullopt) == nullptr);
  delivery.acknowledgment_of(from_host(TcpFlags::kSyn, 100));
  delivery.acknowledgment_of(from_host(TcpFlags::kRst, 101));
  CHECK(delivery.peer.take_syn(80, std::nullopt)->waiting().size() == 2);
}

TEST_CASE("a peer is silent until it is told to acknowledge") {
  Delivery delivery;
  const auto made = accepted(delivery);
  CHECK_FALSE(delivery.acknowledgment_of(from_host(TcpFlags::kAck, 101, "hello")));
  made->acknowledges(true);
  CHECK(delivery.acknowledgment_of(from_host(TcpFlags::kAck, 106, "you")) == 109U);
  CHECK_FALSE(delivery.acknowledgment_of(from_host(TcpFlags::kAck, 109)));
  made->acknowledges(false);
  CHECK_FALSE(delivery.acknowledgment_of(from_host(TcpFlags::kFin, 109)));
}

TEST_CASE("the next segment has the last window and the next number") {
  Delivery delivery;
  const auto made = accepted(delivery);
  ForgedSegment syn_ack = made->next(TcpFlags::kSyn | TcpFlags::kAck, kBegin);
  CHECK(syn_ack.sequence == 7000);
  CHECK(syn_ack.acknowledgment == 101);
  CHECK(syn_ack.link.to == kToHost.to);
  syn_ack.window = 1000;
  made->sent(syn_ack, kBegin, true);
  const ForgedSegment data = made->next(TcpFlags::kAck, kBegin);
  CHECK(data.sequence == 7001);
  CHECK(data.window == 1000);
  made->sent(from_host(TcpFlags::kAck, 9, "elsewhere"), kBegin, false);
  CHECK(made->next(TcpFlags::kAck, kBegin).sequence == 7001);
  CHECK(made->next(TcpFlags::kRst, kBegin).acknowledgment == 0);
}

TEST_CASE("segments have timestamps if both SYNs had them") {
  Delivery delivery;
  ForgedSegment syn = from_host(TcpFlags::kSyn, 100);
  const bool offers = GENERATE(true, false);
  if (offers) syn.options.timestamps = capture::TcpTimestamps{.value = 77, .echo_reply = 0};
  delivery.acknowledgment_of(syn);
  const auto made = delivery.peer.take_syn(80, 7000);
  ForgedSegment syn_ack = made->next(TcpFlags::kSyn | TcpFlags::kAck, kBegin);
  CHECK_FALSE(syn_ack.options.timestamps);
  syn_ack.options.timestamps = made->timestamps(kBegin);
  made->sent(syn_ack, kBegin, true);
  const base::Instant later = kBegin + std::chrono::milliseconds(250);
  const auto stamps = made->next(TcpFlags::kAck, later).options.timestamps;
  REQUIRE(stamps.has_value() == offers);
  CHECK_FALSE(made->next(TcpFlags::kRst, later).options.timestamps);
  if (!offers) return;
  CHECK(stamps->value - syn_ack.options.timestamps->value == 250);
  CHECK(stamps->echo_reply == 77);
  const auto old = made->next(TcpFlags::kAck, later, std::chrono::seconds(1)).options.timestamps;
  CHECK(stamps->value - old->value == 1000);
}

TEST_CASE("a connection keeps the newest segments, also of a bulk transfer") {
  Delivery delivery;
  const auto made = accepted(delivery);
  for (std::uint32_t i = 0; i < 10'010; ++i)
    delivery.acknowledgment_of(from_host(TcpFlags::kAck, 101 + i, "x"));
  REQUIRE(made->waiting().size() == 10'000);
  CHECK(made->waiting().front().decoded().tcp->sequence == 111);
}

TEST_CASE("a peer without power forgets its connections") {
  Delivery delivery;
  const auto made = accepted(delivery);
  made->acknowledges(true);
  delivery.peer.forget_all();
  CHECK_FALSE(delivery.acknowledgment_of(from_host(TcpFlags::kAck, 101, "hello")));
  CHECK(made->waiting().empty());
}
