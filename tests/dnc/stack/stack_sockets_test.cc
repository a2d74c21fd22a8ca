// Checks the calls of dnc --stack: what goes to the stack, and what its answers become.
#include "dnc/stack/stack_sockets.hh"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <future>
#include <thread>

#include "base/file_descriptor.hh"
#include "dnc/calls/socket_address.hh"
#include "tests/catch.hh"

using namespace tcplab;
using namespace tcplab::dnc;
using base::FileDescriptor;

namespace {

/// A stack that has an answer to each request, in their order. Its first socket is number 5.
class Stack {
public:
  explicit Stack(std::vector<std::string> answers) : answers_(std::move(answers)) {
    int ends[2]{};
    REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
    ours_ = FileDescriptor(ends[0]);
    sockets.emplace(FileDescriptor(ends[1]));
    thread_ = std::thread([this] { serve(); });
  }
  ~Stack() {
    sockets.reset();
    thread_.join();
  }
  Stack(const Stack&) = delete;
  Stack& operator=(const Stack&) = delete;

  /// Returns the requests without their numbers. Ends the stack.
  std::vector<std::string> requests() {
    ::shutdown(ours_.get(), SHUT_RDWR);
    thread_.join();
    thread_ = std::thread([] {});
    return requests_;
  }

  std::optional<StackSockets> sockets;

private:
  void serve() {
    std::string buffer;
    char block[4096];
    std::size_t next = 0;
    for (ssize_t size = 0; (size = ::read(ours_.get(), block, sizeof block)) > 0;) {
      buffer.append(block, static_cast<std::size_t>(size));
      for (auto end = buffer.find('\n'); end != std::string::npos; end = buffer.find('\n')) {
        const std::string line = buffer.substr(0, end);
        buffer.erase(0, end + 1);
        requests_.push_back(line.substr(line.find(' ') + 1));
        if (next == answers_.size()) continue;
        const std::string answer = answers_[next++] + "\n";
        if (answer.size() > 1 && ::write(ours_.get(), answer.data(), answer.size()) < 0) return;
      }
    }
  }

  std::vector<std::string> answers_;  // empty: none
  std::vector<std::string> requests_;
  FileDescriptor ours_;
  std::thread thread_;
};

const SocketAddress kServer(base::Endpoint::parse("10.0.0.2:8080").value());

}  // namespace

TEST_CASE("Calls on a stack's socket are requests with its number") {
  Stack stack({R"({"id":1,"result":5})",
               R"({"id":2,"result":0,"local":"10.0.0.1:40000","remote":"10.0.0.2:8080"})",
               R"({"id":3,"result":3})", R"({"id":4,"result":2,"data":"\u00ff\n"})",
               R"({"id":5,"result":-1,"errno":"ECONNRESET"})", R"({"id":6,"result":0})"});
  StackSockets& sockets = *stack.sockets;
  const int fd = sockets.socket(AF_INET, SOCK_STREAM);
  REQUIRE(fd > 2);
  CHECK(sockets.is_foreign(fd));
  CHECK(sockets.family(fd) == AF_INET);
  CHECK(sockets.connect(fd, kServer.get(), kServer.size()) == 0);
  CHECK(sockets.local(fd)->to_string() == "10.0.0.1:40000");
  CHECK(sockets.write(fd, std::string_view("a\"\n")) == 3);
  char buffer[10]{};
  CHECK(sockets.read(fd, buffer) == 2);
  CHECK(std::string_view(buffer, 2) == "\xff\n");
  CHECK(sockets.read(fd, buffer) == -1);
  CHECK(errno == ECONNRESET);
  CHECK(sockets.close(fd) == 0);
  CHECK_FALSE(sockets.is_foreign(fd));
  CHECK(stack.requests() == std::vector<std::string>{"socket AF_INET", "connect 5 10.0.0.2 8080",
                                                     R"(write 5 "a\x22\x0a")", "read 5 10",
                                                     "read 5 10", "close 5"});
}

TEST_CASE("A poll of a stack's socket ends when another descriptor is ready") {
  Stack stack({R"({"id":1,"result":5})", "", R"({"id":2,"result":0})"});
  StackSockets& sockets = *stack.sockets;
  const int fd = sockets.socket(AF_INET, SOCK_STREAM);
  base::Pipe input = base::make_pipe();
  input.write_end.reset();
  pollfd entries[2] = {{input.read_end.get(), POLLIN, 0}, {fd, POLLIN, 0}};
  CHECK(sockets.poll(entries, -1) == 1);
  CHECK(entries[0].revents == POLLHUP);
  CHECK(entries[1].revents == 0);
  CHECK(stack.requests() == std::vector<std::string>{"socket AF_INET", "poll 5 IN", "cancel 2"});
}

TEST_CASE("A poll of a stack's socket returns what the stack says, or 0 after its timeout") {
  Stack stack({R"({"id":1,"result":5})", R"({"id":2,"result":1,"revents":"IN|HUP"})", "",
               R"({"id":3,"result":0})"});
  StackSockets& sockets = *stack.sockets;
  const int fd = sockets.socket(AF_INET, SOCK_STREAM);
  pollfd entries[2] = {{-1, 0, 0}, {fd, POLLIN | POLLOUT, 0}};
  CHECK(sockets.poll(entries, -1) == 1);
  CHECK(entries[1].revents == (POLLIN | POLLHUP));
  CHECK(sockets.poll(entries, 0) == 0);
  CHECK(entries[1].revents == 0);
}

TEST_CASE("Options go to a stack by their names; those without a number are unknown to it") {
  Stack stack({R"({"id":1,"result":5})", R"({"id":2,"result":0})", R"({"id":3,"result":0})",
               R"({"id":4,"result":0,"value":"EPIPE"})"});
  StackSockets& sockets = *stack.sockets;
  const int fd = sockets.socket(AF_INET6, SOCK_STREAM);
  const int on = 1;
  CHECK(sockets.set_option(fd, IPPROTO_TCP, TCP_NODELAY, std::as_bytes(std::span(&on, 1))) == 0);
  const linger now{.l_onoff = 1, .l_linger = 0};
  CHECK(sockets.set_option(fd, SOL_SOCKET, SO_LINGER, std::as_bytes(std::span(&now, 1))) == 0);
  int error = 0;
  socklen_t size = sizeof error;
  CHECK(sockets.get_option(fd, SOL_SOCKET, SO_ERROR, &error, &size) == 0);
  CHECK(error == EPIPE);
  CHECK(sockets.get_option(fd, IPPROTO_TCP, TCP_INFO, &error, &size) == -1);
  CHECK(errno == ENOPROTOOPT);
  CHECK(stack.requests() ==
        std::vector<std::string>{"socket AF_INET6", "setsockopt 5 TCP_NODELAY 1",
                                 "setsockopt 5 SO_LINGER 1 0", "getsockopt 5 SO_ERROR"});
}

TEST_CASE("What is no answer ends dnc, with the line") {
  using Catch::Matchers::Contains;
  for (const char* line :
       {"ok", "[1]", R"({"id":1})", R"({"id":"1","result":0})", R"({"id":1,"result":-1})",
        R"({"id":1,"result":-1,"errno":"EODD"})", R"({"id":1,"result":-2})"}) {
    Stack stack({line});
    CHECK_THROWS_WITH(stack.sockets->socket(AF_INET, SOCK_STREAM),
                      Contains("the stack has answered \"" + std::string(line)));
  }
  Stack stack({R"({"id":1,"result":5})", R"({"id":2,"result":4,"data":"abc"})"});
  const int fd = stack.sockets->socket(AF_INET, SOCK_STREAM);
  char buffer[10]{};
  CHECK_THROWS_WITH(stack.sockets->read(fd, buffer), Contains("read 4 bytes, and gives 3"));
}

TEST_CASE("A stack cannot give more bytes than were asked for") {
  using Catch::Matchers::Contains;
  Stack stack({R"({"id":1,"result":5})", R"({"id":2,"result":4,"data":"abcd"})"});
  const int fd = stack.sockets->socket(AF_INET, SOCK_STREAM);
  char buffer[3]{};
  CHECK_THROWS_WITH(stack.sockets->read(fd, buffer), Contains("4 bytes, and was asked for 3"));
}

TEST_CASE("MSG_TRUNC returns a number without data") {
  Stack stack({R"({"id":1,"result":5})", R"({"id":2,"result":4})"});
  const int fd = stack.sockets->socket(AF_INET, SOCK_STREAM);
  char buffer[3]{};
  CHECK(stack.sockets->receive(fd, buffer, MSG_TRUNC) == 4);
}
