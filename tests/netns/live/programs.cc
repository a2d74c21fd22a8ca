// Helper programs that live tests run on hosts. They are part of this executable, started as
// `tests --test-program NAME ARGUMENT...`, and end before Catch2's main().
#include <netdb.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace {

using Arguments = std::vector<std::string>;

void say(const char* line) {
  std::puts(line);
  std::fflush(stdout);
}

int fail(const char* attempt) {
  std::perror(attempt);
  return 1;
}

[[noreturn]] void wait_forever() {
  for (;;) pause();
}

struct FreeAddress {
  void operator()(addrinfo* found) const { freeaddrinfo(found); }
};
using Address = std::unique_ptr<addrinfo, FreeAddress>;

Address resolve(const std::string& host, const std::string& port, int type) {
  addrinfo hints{};
  hints.ai_socktype = type;
  addrinfo* found = nullptr;
  if (getaddrinfo(host.c_str(), port.c_str(), &hints, &found) != 0) return nullptr;
  return Address(found);
}

/// serve PORT: accepts one connection, sends a greeting, and reads everything.
int serve(const Arguments& arguments) {
  const Address at = resolve("::", arguments.at(0), SOCK_STREAM);
  const int listener = socket(AF_INET6, SOCK_STREAM, 0);
  if (bind(listener, at->ai_addr, at->ai_addrlen) != 0 || listen(listener, 8) != 0)
    return fail("listen");
  say("listening");
  const int connection = accept(listener, nullptr, nullptr);
  if (connection < 0) return fail("accept");
  if (write(connection, "hello", 5) != 5) return fail("write");
  std::array<char, 4096> buffer{};
  if (read(connection, buffer.data(), buffer.size()) <= 0) return fail("read");
  say("accepted");
  while (read(connection, buffer.data(), buffer.size()) > 0) {
  }
  wait_forever();
}

/// talk HOST PORT: connects, exchanges a few bytes, and keeps the connection open.
int talk(const Arguments& arguments) {
  const Address peer = resolve(arguments.at(0), arguments.at(1), SOCK_STREAM);
  if (peer == nullptr) return fail("resolve");
  const int connection = socket(peer->ai_family, SOCK_STREAM, 0);
  if (connect(connection, peer->ai_addr, peer->ai_addrlen) != 0) return fail("connect");
  std::array<char, 5> greeting{};
  if (write(connection, "good day", 8) != 8) return fail("write");
  if (read(connection, greeting.data(), greeting.size()) != 5) return fail("read");
  say("connected");
  wait_forever();
}

/// pour HOST PORT BYTES: connects, writes that many bytes, and then prints a line.
int pour(const Arguments& arguments) {
  const Address peer = resolve(arguments.at(0), arguments.at(1), SOCK_STREAM);
  if (peer == nullptr) return fail("resolve");
  const int connection = socket(peer->ai_family, SOCK_STREAM, 0);
  if (connect(connection, peer->ai_addr, peer->ai_addrlen) != 0) return fail("connect");
  const std::string bytes(std::stoul(arguments.at(2)), 'x');
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t size = write(connection, bytes.data() + done, bytes.size() - done);
    if (size < 0) return fail("write");
    done += static_cast<std::size_t>(size);
  }
  return 0;
}

/// flood HOST PORT: sends datagrams without end.
int flood(const Arguments& arguments) {
  const Address peer = resolve(arguments.at(0), arguments.at(1), SOCK_DGRAM);
  const int sender = socket(peer->ai_family, SOCK_DGRAM, 0);
  say("flooding");
  for (;;) sendto(sender, "water", 5, 0, peer->ai_addr, peer->ai_addrlen);
}

/// orphan: leaves a child behind, and prints its pid on the host.
int orphan(const Arguments&) {
  const pid_t child = fork();
  if (child == 0) wait_forever();
  say(std::to_string(child).c_str());
  return 0;
}

/// wait: waits until it is killed.
int wait_program(const Arguments&) { wait_forever(); }

/// signals: prints the signals that are ignored or blocked.
int signals(const Arguments&) {
  for (int signal = 1; signal < NSIG; ++signal) {
    struct sigaction action {};
    if (sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN)
      say(("ignored " + std::to_string(signal)).c_str());
  }
  sigset_t blocked;
  sigprocmask(SIG_SETMASK, nullptr, &blocked);
  for (int signal = 1; signal < NSIG; ++signal)
    if (sigismember(&blocked, signal) == 1) say(("blocked " + std::to_string(signal)).c_str());
  return 0;
}

__attribute__((constructor)) void run_test_program(int count, char* words[], char*[]) {
  if (count < 3 || std::string(words[1]) != "--test-program") return;
  const std::map<std::string, int (*)(const Arguments&)> programs{
      {"serve", serve},   {"talk", talk},         {"flood", flood},    {"pour", pour},
      {"orphan", orphan}, {"wait", wait_program}, {"signals", signals}};
  std::exit(programs.at(words[2])(Arguments(words + 3, words + count)));
}

}  // namespace
