// Checks that records are read by the formats of their kernel.
#include "capture/kernel/record_reader.hh"

#include "tests/catch.hh"

using namespace tcplab::capture;

namespace {

const std::string kReset =
    "ID: 7\nformat:\n"
    "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
    "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n"
    "\tfield:const void * skaddr;\toffset:8;\tsize:8;\tsigned:0;\n\nprint fmt: \"\"\n";

const Tracepoint kSendReset{TraceKind::reset, "tcp", "tcp_send_reset", false};
const Tracepoint kDrop{TraceKind::drop, "skb", "kfree_skb", true};

const std::vector<std::uint8_t> kRecord{7, 0, 0, 0, 42, 0, 0, 0, 1, 2, 0, 0, 0, 0, 0, 0};

}  // namespace

TEST_CASE("a record has the kind of its tracepoint, and its thread") {
  RecordReader reader;
  reader.add(kSendReset, kReset);
  const auto record = reader.read(kRecord);
  REQUIRE(record);
  CHECK(record->kind == TraceKind::reset);
  CHECK(record->thread == 42);
  CHECK(record->socket == 0x201);
}

TEST_CASE("a record of an unknown tracepoint, or without a type, is ignored") {
  RecordReader reader;
  CHECK_FALSE(reader.read(kRecord));
  reader.add(kSendReset, kReset);
  CHECK_FALSE(reader.read({}));
}

TEST_CASE("a tracepoint without a format is missing") {
  RecordReader reader;
  reader.add(kSendReset, kReset);
  reader.add(kDrop, "");
  CHECK(reader.missing() == std::vector<std::string>{"skb:kfree_skb"});
  CHECK(reader.ids(false) == std::vector{7});
  CHECK(reader.ids(true).empty());
}
