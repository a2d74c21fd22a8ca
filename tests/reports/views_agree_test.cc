// Checks that the ladder, the comments of the capture file, the diff and explain classify each
// segment alike. All of them ask capture/follow/sequence_tracker.
#include <sstream>

#include "reports/comments/frame_comments.hh"
#include "reports/diff/behaviour.hh"
#include "reports/explain/capture_story.hh"
#include "reports/story/segments.hh"
#include "tests/catch.hh"
#include "tests/reports/sample_run.hh"

namespace tcplab::reports::tests {

namespace {

using capture::Fate;
using capture::Packet;
using namespace std::chrono_literals;

enum class Seen { other, retransmission, probe };

std::ostream& operator<<(std::ostream& out, Seen seen) {
  switch (seen) {
    case Seen::other:
      return out << "other";
    case Seen::retransmission:
      return out << "retransmission";
    case Seen::probe:
      return out << "probe";
  }
  return out;
}

bool has(const std::string& text, const std::string& word) {
  return text.find(word) != std::string::npos;
}

/// Packets of a connection between kang and kodos, after its handshake.
class Views {
public:
  Views() {
    run_.hosts();
    note("kang", "S", 0, 0);
    note("kodos", "S.", 0, 1);
    note("kang", ".", 1, 1);
  }

  Packet packet(const std::string& from, const std::string& flags, unsigned sequence,
                unsigned acknowledgment, unsigned length = 0) {
    Packet packet = run_.packet(from, flags, sequence, acknowledgment, length);
    packet.delivered = packet.sent;
    return packet;
  }
  void note(const Packet& packet) {
    run_.later(1ms).add(packet);
    last_ = packet;
  }
  void note(const std::string& from, const std::string& flags, unsigned sequence,
            unsigned acknowledgment, unsigned length = 0) {
    note(packet(from, flags, sequence, acknowledgment, length));
  }

  /// Returns how the ladder labels the last packet.
  Seen ladder() const {
    Segments segments;
    std::string label;
    for (const Event& event : run_.events())
      if (const auto* packet = std::get_if<Packet>(&event.body))
        label = segments.describe(*packet).labels.front();
    if (has(label, "again")) return Seen::retransmission;
    return has(label, "probe") ? Seen::probe : Seen::other;
  }
  Seen comments() const {
    FrameComments comments;
    for (const Event& event : run_.events()) comments.event(event);
    comments.settle(capture::Instant::max());
    std::string all;
    for (const std::string& line : comments.of_sender(last_.frame)) all += line + "\n";
    if (has(all, "retransmits")) return Seen::retransmission;
    return has(all, "keepalive") || has(all, "zero window") ? Seen::probe : Seen::other;
  }
  Seen diff() const {
    Behaviour behaviour;
    for (const Event& event : run_.events()) behaviour.event(event);
    const std::string line =
        behaviour.lines().at("frames " + last_.from + " > " + last_.to).lines.back();
    if (has(line, "retransmission")) return Seen::retransmission;
    return has(line, "probe") ? Seen::probe : Seen::other;
  }
  /// Returns how explain classifies it in a capture of the same frames, taken between the hosts.
  Seen explain() const {
    FollowedCapture followed({});
    std::uint16_t identification = 0;
    for (const Event& event : run_.events()) {
      const auto* packet = std::get_if<Packet>(&event.body);
      if (packet == nullptr) continue;
      ++identification;
      followed.frame(frame_of(*packet, identification), std::int64_t{1'000'000} * identification);
    }
    followed.finish();
    std::ostringstream out;
    CaptureStory(followed, {}).write(out, Style{});
    std::string text = out.str();
    for (char& letter : text) letter = letter == '\n' ? ' ' : letter;
    if (has(text, "retransmitted")) return Seen::retransmission;
    return has(text, "keepalive probe.") || has(text, "window probe") ? Seen::probe : Seen::other;
  }

private:
  static capture::DecodedFrame frame_of(const Packet& packet, std::uint16_t identification) {
    capture::DecodedFrame frame;
    auto& ip = frame.ip.emplace();
    ip.source = packet.source.address;
    ip.destination = packet.destination.address;
    ip.identification = identification;
    ip.hop_limit = 64;
    auto& tcp = frame.tcp.emplace();
    tcp.source_port = packet.source.port;
    tcp.destination_port = packet.destination.port;
    tcp.sequence = packet.sequence;
    tcp.acknowledgment = packet.acknowledgment;
    tcp.window = static_cast<std::uint16_t>(packet.window);
    tcp.length = packet.length;
    for (const char flag : packet.flags) {
      if (flag == 'S') tcp.flags |= capture::TcpFlags::kSyn;
      if (flag == 'F') tcp.flags |= capture::TcpFlags::kFin;
      if (flag == 'R') tcp.flags |= capture::TcpFlags::kRst;
      if (flag == 'P') tcp.flags |= capture::TcpFlags::kPush;
      if (flag == '.') tcp.flags |= capture::TcpFlags::kAck;
      if (flag == 'E') tcp.flags |= capture::TcpFlags::kEcnEcho;
    }
    return frame;
  }

  SampleRun run_;
  Packet last_;
};

void check_all(const Views& views, Seen expected) {
  CHECK(views.ladder() == expected);
  CHECK(views.comments() == expected);
  CHECK(views.diff() == expected);
  CHECK(views.explain() == expected);
}

}  // namespace

TEST_CASE("every view shows a retransmission if all octets were sent before") {
  Views views;
  views.note("kang", "P.", 1, 1, 22);
  check_all(views, Seen::other);
  views.note("kang", "P.", 1, 1, 22);
  check_all(views, Seen::retransmission);
}

TEST_CASE("no view shows a retransmission if some octets are new") {
  Views views;
  views.note("kang", "P.", 1, 1, 22);
  views.note("kang", "P.", 1, 1, 30);
  check_all(views, Seen::other);
}

TEST_CASE("every view shows a keepalive probe for an old octet without new data") {
  Views views;
  views.note("kang", "P.", 1, 1, 22);
  views.note("kodos", ".", 1, 23);
  const unsigned garbage = GENERATE(0U, 1U);  // RFC 1122 section 4.2.3.6 allows one octet
  const std::string flags = GENERATE(".", ".E");
  CAPTURE(garbage, flags);
  views.note("kang", flags, 22, 1, garbage);
  check_all(views, Seen::probe);
}

TEST_CASE("every view shows a retransmission for an octet that is not acknowledged yet") {
  Views views;
  views.note("kang", "P.", 1, 1, 1);
  views.note("kang", "P.", 1, 1, 1);
  check_all(views, Seen::retransmission);
}

TEST_CASE("every view shows a probe for one octet sent into a zero window") {
  Views views;
  views.note("kang", "P.", 1, 1, 22);
  Packet full = views.packet("kodos", ".", 1, 23);
  full.window = 0;
  views.note(full);
  check_all(views, Seen::other);
  views.note("kang", ".", 23, 1, 1);
  check_all(views, Seen::probe);
  views.note(full);
  views.note("kang", ".", 23, 1, 1);
  check_all(views, Seen::probe);
}

TEST_CASE("a held frame is not a retransmission when it is delivered") {
  Views views;
  Packet frame = views.packet("kang", "P.", 1, 1, 22);
  frame.fate = GENERATE(Fate::held, Fate::delayed);
  frame.delivered.reset();
  views.note(frame);
  frame.fate = Fate::delivered;
  frame.delivered = frame.sent;
  views.note(frame);
  CHECK(views.ladder() == Seen::other);
  CHECK(views.comments() == Seen::other);
  CHECK(views.diff() == Seen::other);
}

TEST_CASE("a held retransmission is still a retransmission when it is delivered") {
  Views views;
  views.note("kang", "P.", 1, 1, 22);
  Packet frame = views.packet("kang", "P.", 1, 1, 22);
  frame.fate = Fate::held;
  frame.delivered.reset();
  views.note(frame);
  frame.fate = Fate::delivered;
  frame.delivered = frame.sent;
  views.note(frame);
  CHECK(views.ladder() == Seen::retransmission);
  CHECK(views.comments() == Seen::retransmission);
  CHECK(views.diff() == Seen::retransmission);
}

TEST_CASE("a copy made by a fault is not a retransmission") {
  Views views;
  views.note("kang", "P.", 1, 1, 22);
  Packet copy = views.packet("kang", "P.", 1, 1, 22);
  copy.effects = {{.kind = capture::EffectKind::copied, .frame = 4}};
  views.note(copy);
  CHECK(views.ladder() == Seen::other);
  CHECK(views.comments() == Seen::other);
  CHECK(views.diff() == Seen::other);
}

TEST_CASE("a segment forwarded by a router is not a retransmission") {
  Views views;
  Packet frame = views.packet("kang", "P.", 1, 1, 22);
  frame.to = "gateway";
  views.note(frame);
  frame.from = "gateway";
  frame.to = "kodos";
  ++frame.frame;
  views.note(frame);
  CHECK(views.ladder() == Seen::other);
  CHECK(views.comments() == Seen::other);
  CHECK(views.diff() == Seen::other);
}

TEST_CASE("a forged segment does not count as sent") {
  Views views;
  Packet forged = views.packet("kang", "P.", 1, 1, 22);
  forged.fate = Fate::forged;
  views.note(forged);
  views.note("kang", "P.", 1, 1, 22);
  CHECK(views.ladder() == Seen::other);
  CHECK(views.comments() == Seen::other);
  CHECK(views.diff() == Seen::other);
}

}  // namespace tcplab::reports::tests
