#include "dnc/log/truss_log.hh"

#include "tests/catch.hh"
#include "tests/dnc/records.hh"

using namespace tcplab::dnc;
using namespace tcplab::tests;

TEST_CASE("calls are logged as truss prints them") {
  const auto read = moved(record_of("read", 3, "65536"), "kodos, are you there?\n");
  CHECK(truss_call(read, false) == "read(3, 65536)");
  CHECK(truss_call(read, true) == R"(read(3, "kodos, are you there?\n", 65536))");
  CHECK(truss_answer(read) == "= 22");
  CHECK(truss_call(record_of("socket", -1, "AF_INET, SOCK_STREAM"), true) ==
        "socket(AF_INET, SOCK_STREAM)");
  CHECK(truss_call(record_of("close", 3, ""), true) == "close(3)");
}

TEST_CASE("errors are logged as truss prints them, with Linux's numbers") {
  const auto reset = failed(record_of("read", 3, "65536"), ECONNRESET);
  CHECK(truss_call(reset, true) == "read(3, 65536)");
  CHECK(truss_answer(reset) == "Err#104 ECONNRESET");
}

TEST_CASE("the truss log adds SO_ERROR, poll events and addresses") {
  CHECK(truss_answer(polled(0, POLLIN | POLLERR | POLLHUP)) == "= 1 [0x0/0x19 0/IN|ERR|HUP]");
  CHECK(truss_answer(so_error(EPIPE)) == "= 0 [EPIPE]");
  CHECK(truss_answer(connected(record_of("connect", 3, "10.0.0.2:8080"))) ==
        "= 0 [10.0.0.1:40000 to 10.0.0.2:8080]");
}
