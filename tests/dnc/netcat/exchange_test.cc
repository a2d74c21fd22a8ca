// Checks how dnc exchanges data and ends, as its log of calls shows it.

#include <csignal>

#include "tests/catch.hh"
#include "tests/dnc/dnc_process.hh"
#include "tests/dnc/peer.hh"

using namespace tcplab::tests;
using namespace std::chrono_literals;

namespace {

constexpr auto kSpan = 200ms;  // a time without events shows that dnc does not spin

/// A dnc that is connected to us and waits in poll.
struct Connected {
  explicit Connected(std::vector<std::string> options = {},
                     const std::string& address = "127.0.0.1")
      : listener(address), dnc(with_address(std::move(options), address)), peer(listener.accept()) {
    const CallEvent connect = dnc.wait_for_return("connect");
    REQUIRE((connect.result == 0 || connect.error == "EINPROGRESS"));
    socket = connect.fd;
    dnc.wait_for_enter("poll");
  }

  std::vector<std::string> with_address(std::vector<std::string> options,
                                        const std::string& address) const {
    options.insert(options.end(), {address, listener.port_text()});
    return options;
  }

  Listener listener;
  DncProcess dnc;
  Peer peer;
  int socket = -1;
};

std::size_t count(const DncProcess& dnc, const std::string& call) {
  std::size_t calls = 0;
  for (const CallEvent& event : dnc.events()) calls += event.enters(call) ? 1 : 0;
  return calls;
}

}  // namespace

TEST_CASE("data goes both ways, and each call is logged") {
  const auto* const address = GENERATE("127.0.0.1", "::1");
  Connected lab({}, address);
  lab.dnc.type("kodos, are you there?\n");
  CHECK(lab.dnc.wait_for_return("poll").stdin_revents == "IN");
  CHECK(lab.dnc.wait_for_return("read", 0).data == R"(kodos, are you there?\n)");
  CHECK(lab.dnc.wait_for_return("write", lab.socket).result == 22);
  CHECK(lab.peer.receive(22) == "kodos, are you there?\n");
  lab.peer.send("yes");
  CHECK(lab.dnc.wait_for_return("poll").revents == "IN");
  CHECK(lab.dnc.wait_for_return("read", lab.socket).data == "yes");
  lab.dnc.wait_for_output("yes");
}

TEST_CASE("connect logs both addresses of the connection") {
  Listener listener;
  DncProcess dnc({"127.0.0.1", listener.port_text()});
  const CallEvent connect = dnc.wait_for_return("connect");
  CHECK(connect.remote == "127.0.0.1:" + listener.port_text());
  CHECK(connect.local.starts_with("127.0.0.1:"));
}

TEST_CASE("at the end of the peer's stream dnc keeps its socket, and does not spin") {
  Connected lab;
  lab.peer.shut_down();
  CHECK(lab.dnc.wait_for_return("poll").revents == "IN");
  CHECK(lab.dnc.wait_for_return("read", lab.socket).result == 0);
  CHECK(lab.dnc.wait_for_enter("poll").args.find("{fd 0 IN}") == 0);
  CHECK(lab.dnc.silent_for(kSpan));
  lab.dnc.type("still here\n");  // the other direction is still open
  CHECK(lab.dnc.wait_for_return("write", lab.socket).result == 11);
  CHECK(lab.peer.receive(11) == "still here\n");
  CHECK(count(lab.dnc, "poll") == 3);
}

TEST_CASE("after both streams have ended dnc does not spin, and still reports a reset") {
  Connected lab({"--on-error", "keep"});
  lab.dnc.end_input();
  CHECK(lab.dnc.wait_for_return("poll").stdin_revents == "HUP");
  CHECK(lab.dnc.wait_for_return("read", 0).result == 0);
  lab.peer.shut_down();
  CHECK(lab.dnc.wait_for_return("read", lab.socket).result == 0);
  lab.dnc.wait_for_enter("poll");
  CHECK(lab.dnc.silent_for(kSpan));
  lab.peer.reset();
  CHECK(lab.dnc.wait_for_return("poll").revents == "ERR|HUP");
  CHECK(lab.dnc.wait_for_return("read", lab.socket).result == 0);
  CHECK(lab.dnc.wait_for_return("getsockopt").value == "EPIPE");
  CHECK(lab.dnc.wait_for_enter("poll").args == "{fd -1} {fd -1}, timeout none");
  CHECK(lab.dnc.silent_for(kSpan));
  lab.dnc.signal(SIGINT);
  CHECK(lab.dnc.wait_for_end().signal == SIGINT);
}

// Puzzler 3 of "TCP puzzlers" on Linux: the connection is broken, but no call fails.
TEST_CASE("after a reset in CLOSE_WAIT write succeeds, read returns 0, and SO_ERROR is EPIPE") {
  Connected lab;
  lab.peer.close();
  CHECK(lab.dnc.wait_for_return("read", lab.socket).result == 0);
  lab.dnc.wait_for_enter("poll");
  lab.dnc.type("kodos, are you there?\n");
  CHECK(lab.dnc.wait_for_return("write", lab.socket).result == 22);
  CHECK(lab.dnc.wait_for_return("poll").revents == "ERR|HUP");
  CHECK(lab.dnc.wait_for_return("read", lab.socket).result == 0);
  CHECK(lab.dnc.wait_for_return("getsockopt").value == "EPIPE");
  lab.dnc.wait_for_enter("poll");
  CHECK(lab.dnc.silent_for(kSpan));
  lab.dnc.type("hello?\n");
  CHECK(lab.dnc.wait_for_enter("write").args == "7");
  CHECK(lab.dnc.wait_for_end().signal == SIGPIPE);
}

TEST_CASE("after a reset read fails once, and dnc exits as the article's did") {
  Connected lab;
  lab.peer.reset();
  CHECK(lab.dnc.wait_for_return("poll").revents == "IN|ERR|HUP");
  CHECK(lab.dnc.wait_for_return("read", lab.socket).error == "ECONNRESET");
  CHECK(lab.dnc.wait_for_return("close").result == 0);
  CHECK(lab.dnc.wait_for_end().status == 1);
  CHECK(lab.dnc.errors() == "dnc: read: Connection reset by peer\n");
}

TEST_CASE("with --on-error keep, after a reset read returns 0 and write EPIPE") {
  Connected lab({"--on-error", "keep", "--ignore-sigpipe"});
  lab.peer.reset();
  CHECK(lab.dnc.wait_for_return("read", lab.socket).error == "ECONNRESET");
  CHECK(lab.dnc.wait_for_return("poll").revents == "IN|HUP");
  CHECK(lab.dnc.wait_for_return("read", lab.socket).result == 0);
  lab.dnc.wait_for_enter("poll");
  CHECK(lab.dnc.silent_for(kSpan));
  lab.dnc.type("hello?\n");
  CHECK(lab.dnc.wait_for_return("write", lab.socket).error == "EPIPE");
  lab.dnc.wait_for_enter("poll");
  CHECK(lab.dnc.silent_for(kSpan));
}

TEST_CASE("a failed write ends dnc, except with --on-error keep") {
  Connected lab({"--ignore-sigpipe", "--never-read"});
  lab.peer.reset();
  CHECK(lab.dnc.wait_for_return("getsockopt").value == "ECONNRESET");
  lab.dnc.wait_for_enter("poll");
  lab.dnc.type("hello?\n");
  CHECK(lab.dnc.wait_for_return("write", lab.socket).error == "EPIPE");
  CHECK(lab.dnc.wait_for_end().status == 1);
  CHECK(lab.dnc.errors() == "dnc: write: Broken pipe\n");
}

TEST_CASE("--on-eof close closes the socket and exits, like the article's nc") {
  Connected lab({GENERATE("--nc", "--on-eof=close")});
  lab.peer.shut_down();
  CHECK(lab.dnc.wait_for_return("read", lab.socket).result == 0);
  CHECK(lab.dnc.wait_for_return("close").fd == lab.socket);
  CHECK(lab.dnc.wait_for_end().status == 0);
}

TEST_CASE("--on-eof shutdown sends one FIN, and dnc keeps running") {
  Connected lab({"--on-eof", "shutdown"});
  lab.peer.shut_down();
  CHECK(lab.dnc.wait_for_return("shutdown").args == "SHUT_WR");
  CHECK(lab.peer.receive(1).empty());
  CHECK(lab.dnc.wait_for_return("poll").revents == "HUP");
  lab.dnc.wait_for_return("read", lab.socket);
  lab.dnc.wait_for_enter("poll");
  CHECK(lab.dnc.silent_for(kSpan));
  CHECK(count(lab.dnc, "shutdown") == 1);
}

TEST_CASE("--on-stdin-eof keeps, shuts down or closes the socket") {
  SECTION("keep") {
    Connected lab;
    lab.dnc.end_input();
    CHECK(lab.dnc.wait_for_return("read", 0).result == 0);
    lab.dnc.wait_for_enter("poll");
    CHECK(lab.dnc.silent_for(kSpan));
    lab.peer.send("still here");
    lab.dnc.wait_for_output("still here");
    CHECK(count(lab.dnc, "write") <= 1);  // the article's dnc wrote 0 bytes forever
  }
  SECTION("shutdown") {
    Connected lab({GENERATE("-N", "--on-stdin-eof=shutdown")});
    lab.dnc.end_input();
    CHECK(lab.dnc.wait_for_return("shutdown").args == "SHUT_WR");
    CHECK(lab.peer.receive(1).empty());
    lab.peer.send("the other direction");
    lab.dnc.wait_for_output("the other direction");
  }
  SECTION("close") {
    Connected lab({"--on-stdin-eof", "close"});
    lab.dnc.end_input();
    CHECK(lab.dnc.wait_for_return("close").result == 0);
    CHECK(lab.dnc.wait_for_end().status == 0);
    CHECK(lab.peer.receive(1).empty());
  }
  SECTION("-q: shutdown, then close after a while") {
    Connected lab({"-q", "200ms"});
    lab.dnc.end_input();
    const CallEvent shutdown = lab.dnc.wait_for_return("shutdown");
    const CallEvent close = lab.dnc.wait_for_enter("close");
    CHECK(close.t - shutdown.t >= std::chrono::nanoseconds(190ms).count());
    CHECK(lab.dnc.wait_for_end().status == 0);
  }
}

TEST_CASE("-w ends an idle connection") {
  Connected lab({"-w", "200ms"});
  const CallEvent idle = lab.dnc.wait_for(
      [](const CallEvent& event) { return event.returns("poll") && event.result == 0; });
  CHECK(idle.t - idle.entered >= std::chrono::nanoseconds(190ms).count());
  CHECK(lab.dnc.wait_for_end().status == 0);
}

TEST_CASE("-d never reads standard input") {
  Connected lab({"-d"});
  lab.dnc.type("to nobody");
  CHECK(lab.dnc.silent_for(kSpan));
}

TEST_CASE("--never-read reads nothing") {
  Connected lab({"--never-read"});
  lab.peer.send("to nobody");
  CHECK(lab.dnc.silent_for(kSpan));
  lab.dnc.type("but it writes\n");
  CHECK(lab.peer.receive(14) == "but it writes\n");
}

TEST_CASE("-b sets the size of each read") {
  Connected lab({"-b", "3"});
  lab.peer.send("hello");
  CHECK(lab.dnc.wait_for_return("read", lab.socket).data == "hel");
  CHECK(lab.dnc.wait_for_return("read", lab.socket).data == "lo");
}

TEST_CASE("a short write is logged, and the rest is written") {
  Listener listener;
  listener.set_receive_buffer(4096);
  DncProcess dnc({"--nonblocking", "-O", "4608", "-b", "60000", "127.0.0.1", listener.port_text()});
  Peer peer = listener.accept();
  const std::string text(60000, 'x');
  dnc.type(text);  // fits into a pipe
  const CallEvent first = dnc.wait_for_return("write");
  CHECK(first.result > 0);
  CHECK(first.result < std::stol(first.args));
  const CallEvent second = dnc.wait_for_enter("write");
  CHECK(std::stol(second.args) == std::stol(first.args) - first.result);
  CHECK(dnc.wait_for([](const CallEvent& event) { return event.error == "EAGAIN"; }).call ==
        "write");
  CHECK(dnc.wait_for_enter("poll").args.find("IN|OUT}") != std::string::npos);
  CHECK(dnc.silent_for(kSpan));
  CHECK(peer.receive(text.size()) == text);
}

TEST_CASE("dnc writes more output than a pipe holds to a slow reader") {
  Connected lab;
  const std::string much(1 << 18, 'x');  // more than the pipe and our read-ahead can hold
  lab.peer.send(much);
  lab.dnc.wait_for_output(much);
  CHECK(lab.dnc.output() == much);
}

TEST_CASE("on SIGUSR1 dnc prints its state, and continues") {
  Connected lab;
  lab.dnc.signal(SIGUSR1);
  lab.dnc.wait_for_error_text("dnc: state: fd " + std::to_string(lab.socket));
  lab.peer.send("still here");
  lab.dnc.wait_for_output("still here");
}

TEST_CASE("SIGINT kills dnc, and the kernel closes its socket") {
  Connected lab;
  lab.dnc.signal(SIGINT);
  CHECK(lab.dnc.wait_for_end().signal == SIGINT);
  CHECK(lab.peer.receive(1).empty());
}

TEST_CASE("with -N dnc ends when both streams have ended, in either order") {
  const auto* const option = GENERATE("-N", "-q30");
  const bool peer_first = GENERATE(false, true);
  Connected lab({option});
  if (peer_first) {
    lab.peer.shut_down();
    CHECK(lab.dnc.wait_for_return("read", lab.socket).result == 0);
  }
  lab.dnc.type("last words\n");
  CHECK(lab.dnc.wait_for_return("write", lab.socket).result == 11);
  lab.dnc.end_input();
  CHECK(lab.dnc.wait_for_return("shutdown").result == 0);
  CHECK(lab.peer.receive(100) == "last words\n");
  if (!peer_first) {
    lab.peer.send("answer");
    lab.peer.shut_down();
  }
  CHECK(lab.dnc.wait_for_return("close").result == 0);
  CHECK(lab.dnc.wait_for_end().status == 0);
  CHECK(lab.dnc.output() == (peer_first ? "" : "answer"));
}

TEST_CASE("without -N dnc does not end when both streams have ended") {
  Connected lab({"--on-stdin-eof", "shutdown"});
  lab.dnc.end_input();
  CHECK(lab.dnc.wait_for_return("shutdown").result == 0);
  lab.peer.shut_down();
  CHECK(lab.dnc.wait_for_return("read", lab.socket).result == 0);
  CHECK(lab.dnc.wait_for_enter("poll").fd == -2);
  CHECK(lab.dnc.silent_for(kSpan));
}
