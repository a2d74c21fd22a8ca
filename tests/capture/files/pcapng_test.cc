#include "capture/files/pcapng.hh"

#include <fcntl.h>

#include <cstdio>
#include <cstring>
#include <memory>
#include <sstream>

#include "base/error.hh"
#include "capture/event/describe.hh"
#include "capture/files/pcap_reader.hh"
#include "tests/capture/frames.hh"
#include "tests/capture/temporary_file.hh"
#include "tests/catch.hh"
#include "tests/skip.hh"

using namespace tcplab::capture;
using namespace tcplab::tests;
using tcplab::base::Family;
using tcplab::base::FileDescriptor;
using tcplab::base::IpAddress;

namespace {

constexpr std::int64_t kStart = 1'700'000'000'123'456'789;

PcapngWriter make_writer(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  REQUIRE(descriptor >= 0);
  return {FileDescriptor(descriptor), path};
}

/// Writes every sample frame: outbound on kang's interface, and inbound on kodos's 1 us later.
void write_samples(PcapngWriter& writer) {
  const auto kang = writer.add_interface(
      {.name = "kang.eth0", .description = "eth0 of kang", .mac = {{2, 0, 0, 0, 0, 1}}});
  const auto kodos = writer.add_interface({.name = "kodos.eth0"});
  writer.add_names({{*IpAddress::parse("10.0.0.1"), "kang"},
                    {*IpAddress::parse("10.0.0.2"), "kodos"},
                    {*IpAddress::parse("fd00::2"), "kodos"}});
  std::int64_t at = kStart;
  for (const FrameBytes& frame : sample_frames()) {
    writer.write(
        {.interface = kang, .at = at, .bytes = frame, .comment = "lost: gr\xc3\xbc\xc3\x9f"});
    writer.write(
        {.interface = kodos, .at = at + 1000, .bytes = frame, .direction = Direction::inbound});
    at += 1'000'000;
  }
}

std::vector<std::string> lines_of(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> output(::popen(command.c_str(), "r"), ::pclose);
  std::vector<std::string> lines;
  for (char line[4096]; std::fgets(line, sizeof line, output.get()) != nullptr;)
    lines.emplace_back(line, std::strcspn(line, "\n"));
  return lines;
}

std::vector<std::string> tshark(const TemporaryFile& file, const std::string& options) {
  return lines_of("tshark -n -r " + file.path() + " " + options + " 2>&1 | grep -v 'as user'");
}

}  // namespace

TEST_CASE("libpcap reads back what is written, to the nanosecond") {
  const TemporaryFile file("capture.pcapng");
  PcapngWriter writer = make_writer(file.path());
  write_samples(writer);
  writer.finish();
  CaptureReader reader(file.path());
  std::int64_t at = kStart;
  for (const FrameBytes& frame : sample_frames()) {
    for (const std::int64_t delay : {0, 1000}) {
      const auto read = reader.next();
      REQUIRE(read);
      CHECK(read->at == at + delay);
      CHECK(read->length == frame.size());
      CHECK(FrameBytes(read->bytes.begin(), read->bytes.end()) == frame);
    }
    at += 1'000'000;
  }
  CHECK_FALSE(reader.next());
}

TEST_CASE("a truncated frame keeps its length on the wire") {
  const TemporaryFile file("capture.pcapng");
  PcapngWriter writer = make_writer(file.path());
  const auto interface = writer.add_interface({.name = "kang.eth0"});
  const FrameBytes head(60);
  writer.write({.interface = interface, .at = kStart, .bytes = head, .length = 1514});
  writer.flush();
  const auto read = CaptureReader(file.path()).next();
  REQUIRE(read);
  CHECK(read->length == 1514);
}

TEST_CASE("tshark finds names, comments and directions, and reports no error") {
  SKIP_IF(no_program("tshark"));
  const TemporaryFile file("capture.pcapng");
  PcapngWriter writer = make_writer(file.path());
  write_samples(writer);
  writer.finish();
  const auto lines = tshark(file,
                            "-T fields -E separator='|' -e frame.interface_name -e frame.time_epoch"
                            " -e frame.comment -e frame.packet_flags_direction");
  REQUIRE(lines.size() == 2 * sample_frames().size());
  CHECK(lines[0] == "kang.eth0|1700000000.123456789|lost: gr\xc3\xbc\xc3\x9f|0x00000002");
  CHECK(lines[1] == "kodos.eth0|1700000000.123457789||0x00000001");
  CHECK(tshark(file, "-Y _ws.malformed") == std::vector<std::string>{});
}

TEST_CASE("each line is a comment, and a frame has one packet ID on all interfaces") {
  SKIP_IF(no_program("tshark"));
  const TemporaryFile file("capture.pcapng");
  PcapngWriter writer = make_writer(file.path());
  const auto interface = writer.add_interface({.name = "kang.eth0"});
  const FrameBytes frame(60);
  writer.write({.interface = interface,
                .at = kStart,
                .bytes = frame,
                .comment = "caused by a call\n\nlost: the cable",
                .id = 7});
  writer.finish();
  const auto lines = tshark(file,
                            "-T fields -E separator='|' -E aggregator=';' -e frame.packet_id"
                            " -e frame.comment");
  REQUIRE(lines.size() == 1);
  CHECK(lines[0] == "7|caused by a call;lost: the cable");
}

TEST_CASE("tshark shows the hosts' names instead of their addresses") {
  SKIP_IF(no_program("tshark"));
  const TemporaryFile file("capture.pcapng");
  PcapngWriter writer = make_writer(file.path());
  write_samples(writer);
  writer.finish();
  const auto lines = lines_of("tshark -N n -r " + file.path() +
                              " -Y 'tcp.flags.syn == 1' -T fields -e ip.src_host -e ip.dst_host "
                              "-e ipv6.dst_host 2>/dev/null");
  REQUIRE(lines.size() == 4);
  CHECK(lines[0] == "kang\tkodos\t");
  CHECK(lines[2] == "\t\tkodos");
}

TEST_CASE("capinfos finds the section, the interfaces and their statistics") {
  SKIP_IF(no_program("capinfos"));
  const TemporaryFile file("capture.pcapng");
  PcapngWriter writer = make_writer(file.path());
  write_samples(writer);
  writer.finish();
  std::ostringstream all;
  for (const std::string& line : lines_of("capinfos " + file.path() + " 2>&1")) all << line << '\n';
  const auto count = std::to_string(sample_frames().size());
  CHECK_THAT(all.str(), Catch::Matchers::Contains("Capture application: tcplab"));
  CHECK_THAT(all.str(), Catch::Matchers::Contains("Name = kang.eth0"));
  CHECK_THAT(all.str(), Catch::Matchers::Contains("Description = eth0 of kang"));
  CHECK_THAT(all.str(), Catch::Matchers::Contains("Time precision = nanoseconds (9)"));
  CHECK_THAT(all.str(), Catch::Matchers::Contains("Number of stat entries = 1"));
  CHECK_THAT(all.str(), Catch::Matchers::Contains("Number of packets = " + count));
}

TEST_CASE("tshark decodes each segment as tcplab does") {
  SKIP_IF(no_program("tshark"));
  const TemporaryFile file("capture.pcapng");
  PcapngWriter writer = make_writer(file.path());
  write_samples(writer);
  writer.finish();
  const auto lines = tshark(
      file,
      "-o tcp.relative_sequence_numbers:FALSE -o ip.defragment:FALSE -o ipv6.defragment:FALSE"
      " -Y 'frame.interface_id == 0' -T fields -E separator=' ' -E occurrence=f"
      " -e tcp.srcport -e tcp.seq_raw -e tcp.ack_raw -e tcp.window_size_value"
      " -e tcp.len -e icmp -e icmpv6");
  const auto frames = sample_frames();
  REQUIRE(lines.size() == frames.size());
  for (std::size_t index = 0; index < frames.size(); ++index) {
    const DecodedFrame frame = decode(frames[index]);
    if (!frame.tcp || frame.ip->is_fragment()) continue;  // for a fragment tshark has no length
    std::ostringstream ours;
    const Packet packet = describe(frame);
    ours << packet.source.port << ' ' << packet.sequence << ' ' << packet.acknowledgment << ' '
         << packet.window << ' ' << packet.length;
    INFO(index << ": " << packet.summary);
    CHECK_THAT(lines[index], Catch::Matchers::StartsWith(ours.str()));
  }
}

TEST_CASE("an error on a full disk names the file") {
  PcapngWriter writer = make_writer("/dev/full");
  CHECK_THROWS_WITH(writer.flush(), "cannot write /dev/full: No space left on device (ENOSPC)");
  CHECK_NOTHROW(writer.flush());
}

TEST_CASE("the buffer is written before it grows without bound") {
  const TemporaryFile file("capture.pcapng");
  PcapngWriter writer = make_writer(file.path());
  const auto interface = writer.add_interface({.name = "kang.eth0"});
  const FrameBytes frame(1514);
  for (int count = 0; count < 400; ++count) writer.write({.interface = interface, .bytes = frame});
  CHECK(file.content().size() > 500'000);
}

TEST_CASE("a file that is not a capture is rejected") {
  const TemporaryFile file("capture.pcapng");
  file.write("this is not a capture, but it is long enough to be one");
  CHECK_THROWS_AS(CaptureReader(file.path()), tcplab::base::UsageError);
  CHECK_THROWS_AS(CaptureReader("/nowhere/capture.pcapng"), tcplab::base::UsageError);
}

TEST_CASE("a truncated capture is read up to its end") {
  const TemporaryFile file("capture.pcapng");
  PcapngWriter writer = make_writer(file.path());
  write_samples(writer);
  writer.flush();
  const std::string whole = file.content();
  file.write(whole.substr(0, whole.size() - 10));
  CaptureReader reader(file.path());
  for (std::size_t count = 1; count < 2 * sample_frames().size(); ++count) CHECK(reader.next());
  CHECK_THROWS_AS(reader.next(), tcplab::base::UsageError);
}
