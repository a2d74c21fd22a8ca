// Checks splice and recvmsg of dnc --repl: what moves without dnc's memory, and what comes beside
// the data.
#include "tests/catch.hh"
#include "tests/dnc/dnc_process.hh"
#include "tests/dnc/peer.hh"

using namespace tcplab::tests;
using Catch::Matchers::Contains;

namespace {

DncProcess connected(const Listener& listener) {
  return DncProcess({"--repl", "127.0.0.1", listener.port_text()});
}

}  // namespace

TEST_CASE("splice moves bytes from the socket into a pipe, and back") {
  Listener listener;
  DncProcess dnc = connected(listener);
  Peer peer = listener.accept();
  peer.send("hello");
  dnc.type("poll in 5s\nsplice in 3\nsplice in\nsplice out 4\nsplice out\nsplice out\nsplice up\n");
  const End end = dnc.wait_for_end();
  INFO(dnc.transcript());
  CHECK(end.status == 2);  // the last command is wrong
  CHECK_THAT(dnc.output(), Contains("splice = 3\nsplice = 2\nsplice = 4\nsplice = 1\n"
                                    "splice = -1 EAGAIN"));
  CHECK(peer.receive(6) == "hello");
  std::vector<std::string> made;
  for (const CallEvent& event : dnc.events())
    if (event.returns("pipe2") || event.returns("splice"))
      made.push_back(event.call + " " + std::to_string(event.result));
  CHECK(made == std::vector<std::string>{"pipe2 0", "splice 3", "splice 2", "splice 4", "splice 1",
                                         "splice -1"});
}

TEST_CASE("splice of an ended stream returns 0") {
  Listener listener;
  DncProcess dnc = connected(listener);
  listener.accept().close();
  dnc.type("poll in 5s\nsplice in\n");
  CHECK(dnc.wait_for_end().status == 0);
  CHECK_THAT(dnc.output(), Contains("splice = 0\n"));
}

TEST_CASE("with TCP_INQ, recvmsg says how much is left to read") {
  Listener listener;
  DncProcess dnc = connected(listener);
  Peer peer = listener.accept();
  peer.send("hello");
  dnc.type("poll in 5s\nrecvmsg 1\nsetsockopt TCP_INQ on\nrecvmsg 2\nrecvmsg\n");
  CHECK(dnc.wait_for_end().status == 0);
  INFO(dnc.transcript());
  CHECK_THAT(dnc.output(), Contains("recvmsg = 1 \"h\"\n"));  // not asked for
  CHECK_THAT(dnc.output(), Contains("recvmsg = 2 \"el\" {TCP_INQ=2}\n"
                                    "recvmsg = 2 \"lo\" {TCP_INQ=0}\n"));
  CHECK_THAT(dnc.transcript(), Contains(R"("value":{"TCP_INQ":2})"));
}

TEST_CASE("with SO_TIMESTAMPING, the error queue says when the last byte was acknowledged") {
  Listener listener;
  DncProcess dnc = connected(listener);
  Peer peer = listener.accept();
  dnc.type(
      "recvmsg 0 errqueue\nsetsockopt SO_TIMESTAMPING 2704\nwrite hello\npoll 5s\n"
      "recvmsg 0 errqueue\nrecvmsg 0 errqueue\n");
  CHECK(peer.receive(5) == "hello");
  CHECK(dnc.wait_for_end().status == 0);
  INFO(dnc.transcript());
  CHECK_THAT(dnc.output(), Contains("recvmsg = -1 EAGAIN (Resource temporarily unavailable)\n"
                                    "setsockopt = 0"));
  CHECK_THAT(dnc.output(), Contains("ee_errno=42, ee_origin=4, ee_info=SCM_TSTAMP_ACK, ee_data=4}\n"
                                    "recvmsg = -1 EAGAIN"));
  CHECK_THAT(dnc.transcript(), Contains(R"("ee_data":4)") && Contains(R"("tv_nsec":)"));
}
