// Checks dnc --repl, where each command makes one system call.

#include <csignal>

#include "tests/catch.hh"
#include "tests/dnc/dnc_process.hh"
#include "tests/dnc/peer.hh"

using namespace tcplab::tests;
using Catch::Matchers::Contains;

namespace {

/// A REPL that has run these commands, and has ended.
struct Session {
  explicit Session(const std::string& commands, std::vector<std::string> options = {})
      : dnc(with_repl(std::move(options))) {
    dnc.type(commands);
    end = dnc.wait_for_end();
  }
  static std::vector<std::string> with_repl(std::vector<std::string> options) {
    options.insert(options.begin(), "--repl");
    return options;
  }
  std::vector<std::string> calls() const {
    std::vector<std::string> names;
    for (const CallEvent& event : dnc.events())
      if (event.phase == "enter") names.push_back(event.call);
    return names;
  }

  DncProcess dnc;
  End end;
};

}  // namespace

TEST_CASE("each command makes one call, in order") {
  const std::string port = free_port();
  const Session session("socket 4\nsetsockopt SO_REUSEADDR on\nbind 127.0.0.1 " + port +
                        "\nlisten 1\nsocket 4\nconnect 127.0.0.1 " + port +
                        "\nwrite \"hello, kodos\\n\"\nuse 3\naccept\npoll in 5s\nread 5\n"
                        "recv 100 peek\ninfo\nclose 4\nclose 3\nread\nread\nshutdown wr\nclose\n");
  INFO(session.dnc.transcript());
  CHECK(session.end.status == 0);
  CHECK(session.calls() == std::vector<std::string>{"socket", "setsockopt", "bind", "listen",
                                                    "socket", "connect", "write", "accept", "poll",
                                                    "read", "recv", "getsockopt", "close", "close",
                                                    "read", "read", "shutdown", "close"});
  CHECK_THAT(session.dnc.output(), Contains("poll = 1 IN (0x1)\nread = 5 \"hello\"\n"
                                            "recv = 8 \", kodos\\n\"\n"
                                            "getsockopt = 0\n  state ESTABLISHED"));
  CHECK_THAT(session.dnc.output(), Contains("read = 8 \", kodos\\n\"\nread = 0\nshutdown = 0\n"));
}

TEST_CASE("a failed call is an answer, not an error of the REPL") {
  const Session session("socket\nwrite hello\nread\nconnect 127.0.0.1 " + free_port() +
                            "\ngetsockopt SO_ERROR\nclose\n",
                        {"--ignore-sigpipe"});
  CHECK(session.end.status == 0);
  CHECK(session.dnc.output() ==
        "socket = 3\nwrite = -1 EPIPE (Broken pipe)\n"
        "read = -1 ENOTCONN (Transport endpoint is not connected)\n"
        "connect = -1 ECONNREFUSED (Connection refused)\ngetsockopt = 0 SO_ERROR 0\nclose = 0\n");
}

TEST_CASE("a non-blocking connect returns EINPROGRESS, then 0, then EISCONN") {
  Listener listener;
  const Session session("socket nonblock\nconnect 127.0.0.1 " + listener.port_text() +
                        "\npoll out 5s\ngetsockopt ERROR\nconnect\nconnect\nread\n");
  CHECK_THAT(session.dnc.output(),
             Contains("connect = -1 EINPROGRESS (Operation now in progress)\npoll = 1 OUT (0x4)\n"
                      "getsockopt = 0 SO_ERROR 0\nconnect = 0\nconnect = -1 EISCONN"));
  CHECK_THAT(session.dnc.output(), Contains("read = -1 EAGAIN"));
}

TEST_CASE("each invalid command prints one line, and the next commands run") {
  const Session session(
      "frobnicate\nread\npoll soon\nsocket 5\nsocket\nshutdown\nshutdown up\n"
      "getsockopt SO_WHAT\nsetsockopt TCP_NODELAY maybe\nclose 77\nuse -7\n"
      "write \"open\nread -1\nnonblock perhaps\nrecv 1 sideways\nconnect 1\n");
  CHECK(session.end.status == 2);
  CHECK(session.dnc.output() == "socket = 3\n");
  CHECK(session.calls() == std::vector<std::string>{"socket"});
  const std::string& errors = session.dnc.errors();
  CHECK(std::count(errors.begin(), errors.end(), '\n') == 15);
  CHECK_THAT(errors, Contains("no command 'frobnicate'") && Contains("there is no socket") &&
                         Contains("no socket option 'SO_WHAT'") && Contains("usage: shutdown") &&
                         Contains("'up' is not rd, wr, rdwr, or a number") &&
                         Contains("missing closing quote") && Contains("no flag MSG_SIDEWAYS"));
}

TEST_CASE("messages name the flags and the options that dnc has") {
  const Session session("socket\nsend x sideways\ngetsockopt SO_WHAT\n");
  CHECK_THAT(session.dnc.errors(), Contains("choose from MSG_OOB") && Contains("MSG_EOR") &&
                                       Contains("info prints TCP_INFO"));
}

TEST_CASE("a name that does not resolve is no wrong command") {
  CHECK(Session("socket\nconnect no.such.invalid 80\n").end.status == 1);
  CHECK(Session("socket\nconnect no.such.invalid 80\nfrobnicate\n").end.status == 2);
}

TEST_CASE("getsockopt TCP_INFO is info, with every member that this kernel has") {
  Listener listener;
  const Session session("getsockopt TCP_INFO\n", {"127.0.0.1", listener.port_text()});
  CHECK(session.end.status == 0);
  CHECK_THAT(session.dnc.output(), Contains("getsockopt = 0") && Contains("state ESTABLISHED"));
}

TEST_CASE("send and recv take the flags of records, of zero copies and of the error queue") {
  Listener listener;
  const Session session(
      "send hello eor\nsetsockopt SO_ZEROCOPY on\nsend world zerocopy\npoll out 2s\n"
      "recv 0 errqueue\nrecv 0 errqueue\n",
      {"127.0.0.1", listener.port_text()});
  CHECK(session.end.status == 0);
  CHECK(listener.accept().receive(10) == "helloworld");
  CHECK_THAT(session.dnc.output(),
             Contains("send = 5\n") && Contains("recv = 0\n") && Contains("recv = -1 EAGAIN"));
}

TEST_CASE("with an address the REPL connects first") {
  Listener listener;
  const Session session("write hi\nfill 3\nsend oob oob\ndup\nclose\nnonblock on\nread\n",
                        {"127.0.0.1", listener.port_text()});
  CHECK(session.end.status == 0);
  CHECK(session.calls() == std::vector<std::string>{"socket", "connect", "write", "write", "send",
                                                    "dup", "close", "fcntl", "read"});
  CHECK(listener.accept().receive(7) == "hi...oo");  // the last byte is out of band
}

TEST_CASE("with -l the REPL accepts first, except with --no-accept") {
  const std::string port = free_port();
  DncProcess dnc({"--repl", "-l", port});
  dnc.wait_for_enter("accept");
  Peer peer = Peer::connect("127.0.0.1", static_cast<std::uint16_t>(std::stoi(port)));
  dnc.wait_for_return("accept");
  dnc.type("write hello\n");
  CHECK(peer.receive(5) == "hello");
  const Session session("nonblock on\naccept\n", {"--no-accept", "-l", free_port()});
  CHECK(session.calls().back() == "accept");
}

TEST_CASE("the log is flushed before the next command is read") {
  DncProcess dnc({"--repl"});
  dnc.type("socket\n");
  CHECK(dnc.wait_for_return("socket").result >= 3);
}

TEST_CASE("a closed descriptor can be selected, and its number can be reused") {
  const Session session("socket\nclose\nuse 3\nread\npoll in\nclose\nuse 3\nsocket\nclose\n");
  CHECK(session.dnc.output() ==
        "socket = 3\nclose = 0\nuse = 3\nread = -1 EBADF (Bad file descriptor)\n"
        "poll = 1 NVAL (0x20)\nclose = -1 EBADF (Bad file descriptor)\nuse = 3\n"
        "socket = 3\nclose = 0\n");
}

TEST_CASE("any number can be a socket or a direction of shutdown") {
  const Session session("use 0\nlisten\nsend hello\nclose\nuse 77\nlisten\nsocket\nshutdown 7\n");
  CHECK(session.dnc.output() ==
        "use = 0\nlisten = -1 ENOTSOCK (Socket operation on non-socket)\n"
        "send = -1 ENOTSOCK (Socket operation on non-socket)\nuse = 77\n"
        "listen = -1 EBADF (Bad file descriptor)\nsocket = 3\n"
        "shutdown = -1 EINVAL (Invalid argument)\n");
  CHECK_THAT(session.dnc.errors(), Contains("cannot close 0"));
}

TEST_CASE("beyond the limit of descriptors socket fails with EMFILE") {
  const Session session("socket\nlimit 4\nsocket\nclose\nsocket\n");
  CHECK(session.dnc.output() ==
        "socket = 3\nsetrlimit = 0\nsocket = -1 EMFILE (Too many open files)\nclose = 0\n"
        "socket = 3\n");
}

TEST_CASE("without capabilities binding port 1 fails with EACCES") {
  const Session session("drop\nsocket 4\nbind 127.0.0.1 1\n");
  CHECK(session.calls() == std::vector<std::string>{"capset", "socket", "bind"});
  CHECK_THAT(session.dnc.output(), Contains("bind = -1 EACCES"));
}

TEST_CASE("quit exits, and help lists every command") {
  const Session session("help\nquit\nsocket\n");
  CHECK(session.end.status == 0);
  CHECK(session.calls().empty());
  for (const char* name :
       {"socket", "bind",       "listen",     "accept",   "connect",    "poll",  "read",
        "write",  "fill",       "recv",       "send",     "shutdown",   "close", "dup",
        "use",    "getsockopt", "setsockopt", "nonblock", "info",       "quit",  "pass",
        "take",   "fork",       "kill",       "ioctl",    "disconnect", "limit", "drop"})
    CHECK_THAT(session.dnc.output(), Contains(std::string("  ") + name + " "));
}

TEST_CASE("SIGPIPE keeps its disposition in the REPL too") {
  const Session session("socket\nwrite hello\n");
  CHECK(session.end.signal == SIGPIPE);
}

TEST_CASE("on SIGUSR1 the REPL prints its state while it waits for a command") {
  DncProcess dnc({"--repl"});
  dnc.type("socket\n");
  dnc.wait_for_return("socket");
  dnc.signal(SIGUSR1);
  dnc.wait_for_error_text("dnc: state: reading commands for fd 3; 1 calls");
  dnc.type("close\n");
  CHECK(dnc.wait_for_return("close").result == 0);
}

TEST_CASE("a line may have any length and any number of words") {
  std::string line = "write";
  for (int word = 0; word < 20'000; ++word) line += " kodos";
  const Session session("socket\n" + line + "\nwrite \"" + std::string(3'000'000, 'x') + "\"\n" +
                            "getsockopt SO_ERROR",
                        {"--ignore-sigpipe"});
  CHECK(session.end.status == 0);
  CHECK_THAT(session.dnc.output(),
             Contains("write = -1 EPIPE (Broken pipe)\nwrite = -1 EPIPE (Broken pipe)\n"
                      "getsockopt = 0 SO_ERROR 0\n"));
}

TEST_CASE("messages about what was typed have no control bytes, and are cut") {
  const Session session("\033]0;gotcha\007\n" + std::string(100'000, 'y') + "\n");
  CHECK(session.end.status == 2);
  CHECK_THAT(session.dnc.errors(), Contains("dnc: no command '\\033]0;gotcha\\a'"));
  CHECK(session.dnc.errors().find('\033') == std::string::npos);
  CHECK(session.dnc.errors().size() < 5000);
}

TEST_CASE("info about a socket without a connection says so") {
  const Session session("socket 4\ninfo\nbind 127.0.0.1 0\nlisten 7\ninfo\n");
  CHECK(session.end.status == 0);
  CHECK_THAT(session.dnc.output(),
             Contains("getsockopt = 0\n  state CLOSE: this socket was never connected\n"));
  CHECK_THAT(session.dnc.output(),
             Contains("  state LISTEN, 0 connections wait for accept, backlog 7\n"));
  CHECK_THAT(session.dnc.output(), !Contains("ms ago"));
}

TEST_CASE("children of fork end with dnc, unless they are kept") {
  const bool kept = GENERATE(false, true);
  Listener listener;
  std::vector<std::string> options{"--repl", "127.0.0.1", listener.port_text()};
  if (kept) options.insert(options.begin(), "--keep-children");
  DncProcess dnc(options);
  Peer peer = listener.accept();
  dnc.type("fork\n");
  const auto child = static_cast<pid_t>(dnc.wait_for_return("fork").result);
  dnc.signal(SIGKILL);
  dnc.wait_for_end();
  if (kept) {
    CHECK(::kill(child, 0) == 0);
    ::kill(child, SIGKILL);
  }
  CHECK(peer.receive(1).empty());  // FIN: nobody has the connection any more
}
