// Checks TracepointFormat with a `format` file of a real kernel, and with records made by hand.
#include "capture/kernel/tracepoint_format.hh"

#include <string>
#include <vector>

#include "base/error.hh"
#include "tests/catch.hh"

using namespace tcplab::capture;

namespace {

// From Linux 6.18, shortened. It names TCP states by constants, whose numbers it does not give.
constexpr std::string_view kSendResetFormat =
    R"(name: tcp_send_reset
ID: 2280
format:
	field:unsigned short common_type;	offset:0;	size:2;	signed:0;
	field:int common_pid;	offset:4;	size:4;	signed:1;

	field:const void * skaddr;	offset:8;	size:8;	signed:0;
	field:int state;	offset:16;	size:4;	signed:1;
	field:enum sk_rst_reason reason;	offset:20;	size:4;	signed:0;
	field:__u8 saddr[28];	offset:24;	size:28;	signed:0;
	field:short err;	offset:52;	size:2;	signed:1;

print fmt: "%p %s %s", REC->skaddr, REC->state ? )"
    R"(__print_symbolic(REC->state, { TCP_CLOSE, "TCP_CLOSE" }) : "UNKNOWN", )"
    R"(__print_symbolic(REC->reason, { 0, "NOT_SPECIFIED" }, { 0x1, "NO_SOCKET" }, { -2, "LESS" })
)";

std::vector<std::uint8_t> record() {
  std::vector<std::uint8_t> bytes(54);
  bytes[0] = 0xe8;  // 2280, little-endian
  bytes[1] = 0x08;
  bytes[8] = 0x10;
  bytes[15] = 0xff;
  bytes[20] = 1;
  bytes[24] = 2;
  bytes[51] = 9;
  bytes[52] = 0xfb;  // -5
  bytes[53] = 0xff;
  return bytes;
}

}  // namespace

TEST_CASE("a format gives the offsets of its fields") {
  const TracepointFormat format = TracepointFormat::parse(kSendResetFormat);
  const auto bytes = record();
  CHECK(format.id() == 2280);
  CHECK(format.number(bytes, "common_type") == 2280);
  CHECK(format.number(bytes, "skaddr") == static_cast<std::int64_t>(0xff00000000000010));
  CHECK(format.number(bytes, "reason") == 1);
  CHECK(format.bytes(bytes, "saddr").size() == 28);
  CHECK(format.bytes(bytes, "saddr").front() == 2);
  CHECK(format.bytes(bytes, "saddr").back() == 9);
}

TEST_CASE("a signed field of any size is sign-extended") {
  CHECK(TracepointFormat::parse(kSendResetFormat).number(record(), "err") == -5);
}

TEST_CASE("symbolic names are parsed from the print format") {
  const TracepointFormat format = TracepointFormat::parse(kSendResetFormat);
  auto bytes = record();
  CHECK(format.word(bytes, "reason") == "NO_SOCKET");
  bytes[20] = 0;
  CHECK(format.word(bytes, "reason") == "NOT_SPECIFIED");
  bytes[20] = 77;
  CHECK(format.word(bytes, "reason").empty());
  CHECK(format.word(bytes, "state").empty());  // the names of constants cannot be parsed as numbers
  CHECK(format.word(bytes, "skaddr").empty());
}

TEST_CASE("a missing field or a short record returns no value") {
  const TracepointFormat format = TracepointFormat::parse(kSendResetFormat);
  auto bytes = record();
  CHECK_FALSE(format.number(bytes, "rx_sk"));
  CHECK(format.bytes(bytes, "rx_sk").empty());
  CHECK_FALSE(format.number(bytes, "saddr"));  // larger than any number
  bytes.resize(22);
  CHECK_FALSE(format.number(bytes, "reason"));
  CHECK(format.bytes(bytes, "saddr").empty());
  CHECK(format.word(bytes, "reason").empty());
}

TEST_CASE("a truncated format is parsed as far as possible") {
  for (std::size_t length = 0; length < kSendResetFormat.size(); ++length) {
    const std::string text(kSendResetFormat.substr(0, length));
    try {
      TracepointFormat::parse(text).word(record(), "reason");
    } catch (const tcplab::base::LabError&) {
      CHECK(length < kSendResetFormat.find("offset:0;") + 20);
    }
  }
  CHECK_THROWS_AS(TracepointFormat::parse("name: x\n"), tcplab::base::LabError);
}
