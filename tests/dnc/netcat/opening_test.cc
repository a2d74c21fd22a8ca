// Checks how dnc connects and listens, and the options of both.

#include <csignal>

#include "tests/catch.hh"
#include "tests/dnc/dnc_process.hh"
#include "tests/dnc/peer.hh"

using namespace tcplab::tests;
using namespace std::chrono_literals;

namespace {

struct Listening {
  explicit Listening(std::vector<std::string> options = {})
      : port(free_port()), dnc(with_port(std::move(options))) {
    dnc.wait_for_return("listen");
  }
  std::vector<std::string> with_port(std::vector<std::string> options) const {
    options.insert(options.end(), {"-l", port});
    return options;
  }
  Peer connect(const std::string& address = "127.0.0.1") const {
    return Peer::connect(address, static_cast<std::uint16_t>(std::stoi(port)));
  }

  std::string port;
  DncProcess dnc;
};

std::vector<std::string> options_set(const DncProcess& dnc) {
  std::vector<std::string> set;
  for (const CallEvent& event : dnc.events())
    if (event.returns("setsockopt") && event.result == 0) set.push_back(event.args);
  return set;
}

}  // namespace

TEST_CASE("-l calls socket, bind, listen and accept, and logs the peer") {
  Listening lab;
  lab.dnc.wait_for_enter("accept");
  Peer peer = lab.connect();
  const CallEvent accept = lab.dnc.wait_for_return("accept");
  CHECK(accept.local == "127.0.0.1:" + lab.port);
  CHECK(accept.remote.starts_with("127.0.0.1:"));
  peer.send("hello");
  lab.dnc.wait_for_output("hello");
}

TEST_CASE("a listener accepts both families, or one with -4 or -6") {
  SECTION("both") { CHECK(Listening().connect(GENERATE("127.0.0.1", "::1")).receive(0).empty()); }
  SECTION("-4") { CHECK_THROWS(Listening({"-4"}).connect("::1")); }
  SECTION("-6") { CHECK_THROWS(Listening({"-6"}).connect("127.0.0.1")); }
}

TEST_CASE("-k closes a connection at the end of the peer's stream, and waits for the next") {
  Listening lab({"-k"});
  lab.connect().send("first ");
  lab.dnc.wait_for_output("first ");
  Peer second = lab.connect();
  second.send("second");
  lab.dnc.wait_for_output("first second");
  second.reset();  // an error ends the connection, but not the listener
  lab.dnc.wait_for_return("close");
  lab.connect().send(" third");
  lab.dnc.wait_for_output("first second third");
  CHECK(lab.dnc.output() == "first second third");
}

TEST_CASE("without -k dnc exits after the first connection") {
  Listening lab({"--on-eof", "close"});
  lab.connect();
  CHECK(lab.dnc.wait_for_end().status == 0);
  CHECK_THROWS(lab.connect());
}

TEST_CASE("with --no-accept connect succeeds, and dnc never accepts") {
  Listening lab({"--no-accept"});
  Peer peer = lab.connect();
  peer.send("to nobody");
  CHECK(lab.dnc.wait_for_enter("poll").args == "{fd -1} {fd -1}, timeout none");
  CHECK(lab.dnc.silent_for(200ms));
}

TEST_CASE("a port in use is an error") {
  Listener listener;
  DncProcess dnc({"-4", "-l", listener.port_text()});
  CHECK(dnc.wait_for_return("bind").error == "EADDRINUSE");
  CHECK(dnc.wait_for_end().status == 1);
  CHECK(dnc.errors() == "dnc: bind: Address already in use\n");
}

TEST_CASE("a port in use for IPv6 is an error, although it is free for IPv4") {
  Listening other({"-6"});
  DncProcess dnc({"-l", other.port});
  CHECK(dnc.wait_for_end().status == 1);
  CHECK(dnc.errors() == "dnc: bind: Address already in use\n");
}

TEST_CASE("connecting to a port without a listener fails") {
  const std::string port = free_port();
  SECTION("connect returns the error") {
    DncProcess dnc({"127.0.0.1", port});
    const CallEvent connect = dnc.wait_for_return("connect");
    CHECK(connect.error == "ECONNREFUSED");
    CHECK(connect.remote == "127.0.0.1:" + port);
    CHECK(connect.local.empty());
    CHECK(dnc.wait_for_end().status == 1);
    CHECK(dnc.errors() == "dnc: connect: Connection refused\n");
  }
  SECTION("without blocking, SO_ERROR has the error") {
    DncProcess dnc({"--nonblocking", "127.0.0.1", port});
    CHECK(dnc.wait_for_return("connect").error == "EINPROGRESS");
    CHECK(dnc.wait_for_return("poll").revents == "OUT|ERR|HUP");
    CHECK(dnc.wait_for_return("getsockopt").value == "ECONNREFUSED");
    CHECK(dnc.wait_for_end().status == 1);
  }
}

TEST_CASE("-w connects without blocking, then makes the socket blocking") {
  Listener listener;
  DncProcess dnc({"-w", "10s", "127.0.0.1", listener.port_text()});
  CHECK(dnc.wait_for_return("connect").error == "EINPROGRESS");
  CHECK(dnc.wait_for_return("poll").revents == "OUT");
  CHECK(dnc.wait_for_return("getsockopt").value == "0");
  CHECK(dnc.wait_for_return("fcntl").args == "F_SETFL, O_RDWR");
}

TEST_CASE("the source address and port are bound") {
  Listener listener;
  const std::string port = free_port();
  DncProcess dnc({"-s", "127.0.0.3", "-p", port, "127.0.0.1", listener.port_text()});
  CHECK(dnc.wait_for_return("connect").local == "127.0.0.3:" + port);
}

TEST_CASE("socket options are set with logged calls") {
  Listener listener;
  DncProcess dnc({"--keepalive", "5/3/2", "--user-timeout", "500", "--linger", "2", "--no-delay",
                  "-O", "8192", "-I", "4096", "127.0.0.1", listener.port_text()});
  dnc.wait_for_return("connect");
  CHECK(options_set(dnc) == std::vector<std::string>{"SO_SNDBUF = 8192", "SO_RCVBUF = 4096",
                                                     "TCP_NODELAY = 1", "SO_LINGER = {1, 2 s}",
                                                     "TCP_USER_TIMEOUT = 500", "TCP_KEEPIDLE = 5",
                                                     "TCP_KEEPINTVL = 3", "TCP_KEEPCNT = 2",
                                                     "SO_KEEPALIVE = 1"});
}

TEST_CASE("a listener and its accepted sockets get their options") {
  Listening lab({"-6", "--keepalive", "5", "--backlog", "3"});
  CHECK(options_set(lab.dnc) == std::vector<std::string>{"SO_REUSEADDR = 1", "IPV6_V6ONLY = 1"});
  Peer peer = lab.connect("::1");
  lab.dnc.wait_for_enter("poll");
  CHECK(options_set(lab.dnc).back() == "SO_KEEPALIVE = 1");
}

TEST_CASE("--no-reuse-address leaves SO_REUSEADDR unset") {
  CHECK(options_set(Listening({"--no-reuse-address"}).dnc).empty());
}
