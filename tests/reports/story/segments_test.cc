#include "reports/story/segments.hh"

#include "tests/catch.hh"
#include "tests/reports/sample_run.hh"

namespace tcplab::reports::tests {

namespace {

/// Labels of the frames of one connection between kang and kodos.
class Labels {
public:
  Labels() {
    of(run_.packet("kang", "S", 0, 0, 0));
    of(run_.packet("kodos", "S.", 0, 1, 0));
    of(run_.packet("kang", ".", 1, 1, 0));
  }
  std::string of(const capture::Packet& packet) { return segments_.describe(packet).labels.at(0); }
  capture::Packet packet(const std::string& from, const std::string& flags, unsigned sequence,
                         unsigned acknowledgment, unsigned length = 0) {
    return run_.packet(from, flags, sequence, acknowledgment, length);
  }
  SampleRun& run() { return run_; }

private:
  SampleRun run_;
  Segments segments_;
};

}  // namespace

TEST_CASE("sequence numbers are relative, across the end of their range") {
  SampleRun run;
  Segments segments;
  CHECK(segments.describe(run.packet("kang", "S", 0, 0, 0)).labels.back() == "SYN");
  CHECK(segments.describe(run.packet("kodos", "S.", 0, 1, 0)).labels.back() == "SYN ACK");
  CHECK(segments.describe(run.packet("kang", ".", 1, 1, 0)).labels.back() == "ACK 1");
  const auto data = segments.describe(run.packet("kang", "P.", 1, 1, 22)).labels;
  CHECK(data == std::vector<std::string>{"data 22 seq 1 ack 1", "data 22 seq 1", "data 22"});
  CHECK(segments.describe(run.packet("kodos", ".", 1, 23, 0)).labels.back() == "ACK 23");
}

TEST_CASE("a segment that was sent before is marked as sent again") {
  Labels labels;
  CHECK(labels.of(labels.packet("kang", "P.", 1, 1, 22)) == "data 22 seq 1 ack 1");
  CHECK(labels.of(labels.packet("kang", "P.", 1, 1, 22)) == "data 22 again seq 1 ack 1");
  CHECK(labels.of(labels.packet("kang", "P.", 1, 1, 30)) == "data 30 seq 1 ack 1");
  CHECK(labels.of(labels.packet("kang", "F.", 31, 1)) == "FIN seq 31 ack 1");
  CHECK(labels.of(labels.packet("kang", "F.", 31, 1)) == "FIN again seq 31 ack 1");
  CHECK(labels.of(labels.packet("kang", "S", 0, 0)) == "SYN again");
}

TEST_CASE("a segment forwarded by a router is not marked as sent again") {
  Labels labels;
  capture::Packet data = labels.packet("kang", "P.", 1, 1, 22);
  data.to = "gateway";
  CHECK(labels.of(data) == "data 22 seq 1 ack 1");
  data.from = "gateway";
  data.to = "kodos";
  CHECK(labels.of(data) == "data 22 seq 1 ack 1");
}

TEST_CASE("a segment that circles between routers was not sent again") {
  Labels labels;
  const auto pass = [&labels](const std::string& from, const std::string& to) {
    capture::Packet data = labels.packet("kang", "P.", 1, 1, 22);
    data.from = from;
    data.to = to;
    return labels.of(data);
  };
  CHECK(pass("kang", "north") == "data 22 seq 1 ack 1");
  for (int round = 0; round < 3; ++round) {
    CHECK(pass("north", "south") == "data 22 seq 1 ack 1");
    CHECK(pass("south", "north") == "data 22 seq 1 ack 1");
  }
  SECTION("its sender's retransmission circles as one") {
    CHECK(pass("kang", "north") == "data 22 again seq 1 ack 1");
    CHECK(pass("north", "south") == "data 22 again seq 1 ack 1");
    CHECK(pass("south", "north") == "data 22 again seq 1 ack 1");
  }
}

TEST_CASE("a held or delayed frame is not marked as sent again when it arrives") {
  Labels labels;
  capture::Packet held = labels.packet("kang", "F.", 1, 1);
  held.fate = GENERATE(capture::Fate::held, capture::Fate::delayed);
  CHECK(labels.of(held) == "FIN seq 1 ack 1");
  held.fate = capture::Fate::delivered;
  CHECK(labels.of(held) == "FIN seq 1 ack 1");
}

TEST_CASE("keepalive probes and zero windows are labelled") {
  Labels labels;
  CHECK(labels.of(labels.packet("kang", ".", 0, 1)) == "probe seq 0 ack 1");
  capture::Packet full = labels.packet("kodos", ".", 1, 1);
  full.window = 0;
  CHECK(labels.of(full) == "ACK 1 win 0");
}

TEST_CASE("a RST has relative numbers if they are known") {
  Labels labels;
  CHECK(labels.of(labels.packet("kodos", "R", 1, 0)) == "RST seq 1");
  CHECK(labels.of(labels.packet("kang", "R.", 1, 1)) == "RST seq 1 ack 1");
  CHECK(labels.of(labels.packet("kang", "R", 0xffffffff, 0)) == "RST seq 1 below the first");
  SECTION("the sender's numbers are unknown") {
    SampleRun run;
    Segments segments;
    CHECK(segments.describe(run.packet("kodos", "R.", 0, 1, 0)).labels.at(0) == "RST");
  }
}

TEST_CASE("segments with unusual flags have labels") {
  Labels labels;
  CHECK(labels.of(labels.packet("kang", "", 1, 0)) == "no flags");
  CHECK(labels.of(labels.packet("kang", "SF", 0, 0)) == "SYN FIN seq 0");
  CHECK(labels.of(labels.packet("kang", "F", 2, 0)) == "FIN seq 2");
}

TEST_CASE("a second connection has a number") {
  Labels labels;
  capture::Packet other = labels.packet("kang", "S", 0, 0);
  other.source.port = 40001;
  CHECK(labels.of(other) == "SYN #2");
  CHECK(labels.of(labels.packet("kang", ".", 1, 1)) == "ACK 1");
}

TEST_CASE("a frame that is not TCP is labelled with its protocol and summary") {
  capture::Packet packet;
  packet.protocol = "ARP";
  packet.summary = "who-has 10.0.0.2 tell 10.0.0.1";
  const SegmentText text = Segments().describe(packet);
  CHECK(text.labels.front() == "ARP who-has 10.0.0.2 tell 10.0.0.1");
  CHECK(text.labels.back() == "ARP");
}

TEST_CASE("an ICMP arrow with little room keeps the message's type") {
  const auto label = [](const std::string& protocol, const std::string& summary) {
    capture::Packet packet;
    packet.protocol = protocol;
    packet.summary = summary;
    return Segments().describe(packet).labels.at(2);
  };
  CHECK(label("ICMP", "10.0.3.4 unreachable - need to frag (mtu 1400)") ==
        "ICMP frag needed, mtu 1400");
  CHECK(label("ICMPv6", "packet too big for fd00::4, mtu 1400") == "ICMPv6 too big, mtu 1400");
  CHECK(label("ICMP", "host 10.0.2.3 unreachable - admin prohibited") == "ICMP admin prohibited");
  CHECK(label("ICMP", "host 10.0.2.3 unreachable") == "ICMP host unreachable");
  CHECK(label("ICMP", "10.0.0.2 tcp port 8080 unreachable") == "ICMP port unreachable");
  CHECK(label("ICMP", "type 13, code 0") == "ICMP");
}

}  // namespace tcplab::reports::tests
