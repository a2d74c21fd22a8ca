#include "dnc/log/text_log.hh"

#include "tests/catch.hh"
#include "tests/dnc/records.hh"

using namespace tcplab::dnc;
using namespace tcplab::tests;

namespace {

std::string enters(const CallRecord& record) { return describe_enter(record, " read from stdin"); }

}  // namespace

TEST_CASE("the text log has the lines of the article's transcript") {
  CHECK(enters(polled(0, 0)) == "entering poll()");
  CHECK(describe_leave(polled(0, POLLIN)) == "poll returned events 0x0/0x1 (0/IN)");
  CHECK(describe_leave(polled(POLLIN, 0)) == "poll returned events 0x1/0x0 (IN/0)");
  CHECK(enters(record_of("read", 0, "65536")) == "reading from stdin");
  CHECK(enters(record_of("read", 3, "65536")) == "reading from socket");
  CHECK(enters(moved(record_of("write", 3, "22"), "kodos, are you there?\n")) ==
        "writing 22 bytes read from stdin to socket");
  CHECK(describe_leave(moved(record_of("read", 3, "65536"), "")) ==
        "read end-of-stream from socket\nread 0 bytes from socket");
}

TEST_CASE("the text log adds names, data, addresses and short writes") {
  CHECK(describe_leave(polled(0, POLLERR | POLLHUP)) ==
        "poll returned events 0x0/0x18 (0/ERR|HUP)");
  CHECK(describe_leave(polled(0, 0)) == "poll returned 0: timed out");
  CHECK(describe_leave(moved(record_of("read", 3, "65536"), "hi\n")) ==
        R"(read 3 bytes from socket: "hi\n")");
  CHECK(describe_leave(failed(record_of("read", 3, "65536"), ECONNRESET)) ==
        "read from socket failed: ECONNRESET (Connection reset by peer)");
  CHECK(describe_leave(so_error(EPIPE)) == "SO_ERROR is EPIPE (Broken pipe)");
  CHECK(describe_leave(connected(record_of("connect", 3, "10.0.0.2:8080"))) ==
        "connected: 10.0.0.1:40000 to 10.0.0.2:8080");
  CHECK(enters(record_of("shutdown", 3, "SHUT_WR")) == "calling shutdown(3, SHUT_WR)");
  CallRecord short_write = record_of("write", 3, "22");
  short_write.data = "kodos, are you there?\n";
  short_write.result = 10;
  CHECK(describe_leave(short_write) == "wrote 10 of 22 bytes to socket: a short write");
}

TEST_CASE("a read of 0 bytes is not logged as the end of the stream") {
  CHECK(describe_leave(record_of("read", 3, "0")) == "read 0 bytes from socket");
}
