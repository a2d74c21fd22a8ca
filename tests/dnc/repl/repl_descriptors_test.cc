// Checks that duplicates of a socket's descriptor, in a child or in a Unix socket, keep the
// connection open after its program has closed it. Also checks disconnect and ioctl.

#include <chrono>
#include <future>

#include "tests/catch.hh"
#include "tests/dnc/dnc_process.hh"
#include "tests/dnc/peer.hh"

using namespace tcplab::tests;
using namespace std::chrono_literals;
using Catch::Matchers::Contains;

namespace {

/// A REPL that is connected to us.
struct Connection {
  Listener listener;
  DncProcess dnc{{"--repl", "127.0.0.1", listener.port_text()}};
  Peer peer{listener.accept()};
};

}  // namespace

TEST_CASE("a child keeps the connection open until it is killed") {
  Connection with;
  with.dnc.type("write one\nfork\nclose\n");
  const CallEvent fork = with.dnc.wait_for_return("fork");
  CHECK(fork.result > 1);
  CHECK(with.dnc.wait_for_return("close").result == 0);
  CHECK(with.peer.receive(3) == "one");
  auto end = std::async(std::launch::async, [&with] { return with.peer.receive(1); });
  CHECK(end.wait_for(100ms) == std::future_status::timeout);
  with.dnc.type("kill\n");
  CHECK(with.dnc.wait_for_return("kill").args == std::to_string(fork.result) + ", SIGKILL");
  CHECK(end.get().empty());
}

TEST_CASE("a child closes dnc's pipes") {
  Connection with;
  with.dnc.type("fork\n");
  with.dnc.wait_for_return("fork");
  with.dnc.end_input();
  CHECK(with.dnc.wait_for_end().status == 0);  // returns only once all pipes are closed
}

TEST_CASE("a descriptor in a Unix socket keeps the connection open") {
  Connection with;
  with.dnc.type("pass\nclose\ntake\nwrite still-here\n");
  CHECK(with.dnc.wait_for_return("sendmsg").result == 1);
  CHECK(with.dnc.wait_for_return("close").result == 0);
  CHECK_THAT(with.dnc.wait_for_return("recvmsg").args, Contains("SCM_RIGHTS "));
  CHECK(with.dnc.wait_for_return("write").result == 10);
  CHECK(with.peer.receive(10) == "still-here");
  with.dnc.type("close\n");
  CHECK(with.peer.receive(1).empty());
}

TEST_CASE("disconnect ends the connection, and the socket can connect again") {
  Connection with;
  with.dnc.wait_for_return("connect");
  with.dnc.type("disconnect\nread\nread\nconnect\n");
  CHECK(with.dnc.wait_for_return("connect").args == "AF_UNSPEC");
  CHECK(with.dnc.wait_for_return("read").error == "ECONNRESET");  // from the disconnect itself
  CHECK(with.dnc.wait_for_return("read").error == "ENOTCONN");
  CHECK(with.dnc.wait_for_return("connect").result == 0);
  Peer again = with.listener.accept();
  with.dnc.type("write again\n");
  CHECK(again.receive(5) == "again");
}

TEST_CASE("what getsockopt and ioctl store is a value, and no argument") {
  Connection with;
  with.dnc.type("getsockopt SO_LINGER\ngetsockopt TCP_CONGESTION\nioctl outq\ninfo\n");
  with.dnc.wait_for_return("connect");
  const CallEvent linger = with.dnc.wait_for_return("getsockopt");
  CHECK(linger.args == "SO_LINGER");
  CHECK(linger.value == R"({"l_linger":0,"l_onoff":0})");
  CHECK(!with.dnc.wait_for_return("getsockopt").value.empty());
  const CallEvent unacknowledged = with.dnc.wait_for_return("ioctl");
  CHECK(unacknowledged.args == "SIOCOUTQ");
  CHECK(unacknowledged.value == "0");
  CHECK_THAT(with.dnc.wait_for_return("getsockopt").value, Contains(R"("tcpi_state":1)"));
}

TEST_CASE("ioctl returns the unread and the unacknowledged bytes") {
  Connection with;
  with.peer.send("hello");
  with.dnc.type("poll in\nioctl inq\nioctl outq\nioctl outqnsd\nioctl atmark\nclose\n");
  with.dnc.end_input();
  with.dnc.wait_for_end();
  CHECK_THAT(with.dnc.output(), Contains("ioctl = 0 SIOCINQ 5\nioctl = 0 SIOCOUTQ 0\n"
                                         "ioctl = 0 SIOCOUTQNSD 0\nioctl = 0 SIOCATMARK 0\n"));
}

TEST_CASE("each invalid descriptor command prints one line") {
  DncProcess dnc({"--repl"});
  dnc.type("take\npass\nkill\ndisconnect\nioctl inq\nsocket\nioctl howmuch\n");
  dnc.end_input();
  CHECK(dnc.wait_for_end().status == 2);
  CHECK_THAT(dnc.errors(),
             Contains("no descriptor was passed") && Contains("there is no socket") &&
                 Contains("there is no child") &&
                 Contains("'howmuch' is not valid; choose from inq, outq, outqnsd, atmark"));
}
