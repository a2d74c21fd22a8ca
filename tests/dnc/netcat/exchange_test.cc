// What dnc does with a connection, told by its own record.

#include <csignal>

#include "tests/catch.hh"
#include "tests/dnc/dnc_process.hh"
#include "tests/dnc/peer.hh"

using namespace tcplab::tests;
using namespace std::chrono_literals;

namespace {

constexpr auto kSpan = 200ms;  // over which nothing is to happen

/// A dnc that has connected to us and waits in poll.
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

TEST_CASE("data goes both ways, and each call is recorded") {
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

TEST_CASE("the connection that connect made has both its addresses") {
  Listener listener;
  DncProcess dnc({"127.0.0.1", listener.port_text()});
  const CallEvent connect = dnc.wait_for_return("connect");
  CHECK(connect.remote == "127.0.0.1:" + listener.port_text());
  CHECK(connect.local.starts_with("127.0.0.1:"));
}

TEST_CASE("at the socket's end dnc keeps it, and does not spin") {
  Connected lab;
  lab.peer.shut_down();
  CHECK(lab.dnc.wait_for_return("poll").revents == "IN");
  CHECK(lab.dnc.wait_for_return("read", lab.socket).result == 0);
  CHECK(lab.dnc.wait_for_enter("poll").args.find("{fd 0 IN}") == 0);
  CHECK(lab.dnc.silent_for(kSpan));
  lab.dnc.type("still here\n");  // the other direction lives
  CHECK(lab.dnc.wait_for_return("write", lab.socket).result == 11);
  CHECK(lab.peer.receive(11) == "still here\n");
  CHECK(count(lab.dnc, "poll") == 3);
}

TEST_CASE("at both ends dnc waits without spinning, and still hears of a reset") {
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

// TCP puzzlers, puzzler 3, as Linux does it: a peer that has gone, without any failure.
TEST_CASE("broken without failure: the write succeeds, then read says 0 and SO_ERROR EPIPE") {
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

TEST_CASE("a reset: read fails with it, once, and dnc ends as the article's did") {
  Connected lab;
  lab.peer.reset();
  CHECK(lab.dnc.wait_for_return("poll").revents == "IN|ERR|HUP");
  CHECK(lab.dnc.wait_for_return("read", lab.socket).error == "ECONNRESET");
  CHECK(lab.dnc.wait_for_return("close").result == 0);
  CHECK(lab.dnc.wait_for_end().status == 1);
  CHECK(lab.dnc.errors() == "dnc: read: Connection reset by peer\n");
}

TEST_CASE("a reset, when errors are survived: then 0, then EPIPE") {
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

TEST_CASE("a write that fails ends dnc too, unless errors are survived") {
  Connected lab({"--ignore-sigpipe", "--never-read"});
  lab.peer.reset();
  CHECK(lab.dnc.wait_for_return("getsockopt").value == "ECONNRESET");
  lab.dnc.wait_for_enter("poll");
  lab.dnc.type("hello?\n");
  CHECK(lab.dnc.wait_for_return("write", lab.socket).error == "EPIPE");
  CHECK(lab.dnc.wait_for_end().status == 1);
  CHECK(lab.dnc.errors() == "dnc: write: Broken pipe\n");
}

TEST_CASE("--on-eof close closes and ends, as the article's nc") {
  Connected lab({GENERATE("--nc", "--on-eof=close")});
  lab.peer.shut_down();
  CHECK(lab.dnc.wait_for_return("read", lab.socket).result == 0);
  CHECK(lab.dnc.wait_for_return("close").fd == lab.socket);
  CHECK(lab.dnc.wait_for_end().status == 0);
}

TEST_CASE("--on-eof shutdown answers with a FIN, once, and stays") {
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

TEST_CASE("at standard input's end: keep, shutdown, close") {
  SECTION("keep") {
    Connected lab;
    lab.dnc.end_input();
    CHECK(lab.dnc.wait_for_return("read", 0).result == 0);
    lab.dnc.wait_for_enter("poll");
    CHECK(lab.dnc.silent_for(kSpan));
    lab.peer.send("still here");
    lab.dnc.wait_for_output("still here");
    CHECK(count(lab.dnc, "write") <= 1);  // of 0 bytes, the original's for ever
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
  SECTION("-q: shutdown, then a while") {
    Connected lab({"-q", "200ms"});
    lab.dnc.end_input();
    const CallEvent shutdown = lab.dnc.wait_for_return("shutdown");
    const CallEvent close = lab.dnc.wait_for_enter("close");
    CHECK(close.t - shutdown.t >= std::chrono::nanoseconds(190ms).count());
    CHECK(lab.dnc.wait_for_end().status == 0);
  }
}

TEST_CASE("-w ends a connection that is idle for so long") {
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

TEST_CASE("--never-read does not read, whatever comes") {
  Connected lab({"--never-read"});
  lab.peer.send("to nobody");
  CHECK(lab.dnc.silent_for(kSpan));
  lab.dnc.type("but it writes\n");
  CHECK(lab.peer.receive(14) == "but it writes\n");
}

TEST_CASE("-b is what each read asks for") {
  Connected lab({"-b", "3"});
  lab.peer.send("hello");
  CHECK(lab.dnc.wait_for_return("read", lab.socket).data == "hel");
  CHECK(lab.dnc.wait_for_return("read", lab.socket).data == "lo");
}

TEST_CASE("a short write is recorded as one, and the rest follows") {
  Listener listener;
  listener.set_receive_buffer(4096);
  DncProcess dnc({"--nonblocking", "-O", "4608", "-b", "60000", "127.0.0.1", listener.port_text()});
  Peer peer = listener.accept();
  const std::string text(60000, 'x');
  dnc.type(text);  // fits a pipe
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

TEST_CASE("standard output's reader is slow, or goes away") {
  Connected lab;
  const std::string much(1 << 18, 'x');  // more than a pipe and our reading ahead hold
  lab.peer.send(much);
  lab.dnc.wait_for_output(much);
  CHECK(lab.dnc.output() == much);
}

TEST_CASE("a dnc told SIGUSR1 says what it holds, and goes on") {
  Connected lab;
  lab.dnc.signal(SIGUSR1);
  lab.dnc.wait_for_error_text("dnc: state: fd " + std::to_string(lab.socket));
  lab.peer.send("still here");
  lab.dnc.wait_for_output("still here");
}

TEST_CASE("Ctrl-C is a signal that dnc dies of, so that the kernel closes its socket") {
  Connected lab;
  lab.dnc.signal(SIGINT);
  CHECK(lab.dnc.wait_for_end().signal == SIGINT);
  CHECK(lab.peer.receive(1).empty());
}
