// Measures what tracing costs a program: the time of one call under `tcplab trace`, less that of
// the same call untraced, beside strace(1) with and without its --seccomp-bpf. Each round runs all
// of them, so that a busy machine slows down all; figures are medians. Everything shares one
// processor, as in a run, and as root it has real-time priority. With arguments "KIND COUNT" it is
// the load itself.
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "base/clock.hh"
#include "base/error.hh"
#include "base/file_descriptor.hh"
#include "bench/rounds.hh"

namespace {

using tcplab::base::check;
using tcplab::base::FileDescriptor;

struct Connection {
  FileDescriptor client;
  FileDescriptor server;
};

Connection connect_loopback() {
  const FileDescriptor listener(check("make a socket", ::socket(AF_INET, SOCK_STREAM, 0)));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* any = reinterpret_cast<sockaddr*>(&address);
  check("bind", ::bind(listener.get(), any, size));
  check("listen", ::listen(listener.get(), 1));
  check("get an address", ::getsockname(listener.get(), any, &size));
  Connection made;
  made.client = FileDescriptor(check("make a socket", ::socket(AF_INET, SOCK_STREAM, 0)));
  check("connect", ::connect(made.client.get(), any, size));
  made.server = FileDescriptor(check("accept", ::accept(listener.get(), nullptr, nullptr)));
  const int on = 1;
  ::setsockopt(made.client.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return made;
}

/// Writes a byte to one descriptor and reads it from the other.
void pass_byte(int to, int from) {
  char byte = 'x';
  if (::write(to, &byte, 1) != 1 || ::read(from, &byte, 1) != 1)
    throw tcplab::base::LabError("the load cannot write and read");
}

/// Returns nanoseconds for one call.
template <typename Work>
double time_of(int count, int calls, Work work) {
  const auto start = tcplab::base::now();
  for (int i = 0; i < count; ++i) work();
  return static_cast<double>((tcplab::base::now() - start).count()) / count / calls;
}

double run_load(const std::string& kind, int count) {
  if (kind == "tcp") {
    const Connection made = connect_loopback();
    return time_of(count, 2, [&] { pass_byte(made.client.get(), made.server.get()); });
  }
  if (kind == "pipe") {
    const tcplab::base::Pipe pipe = tcplab::base::make_pipe();
    return time_of(count, 2, [&] { pass_byte(pipe.write_end.get(), pipe.read_end.get()); });
  }
  return time_of(count, 1, [] { ::syscall(SYS_getppid); });
}

/// Runs a command, and returns the number that it prints.
double figure_of(std::vector<std::string> command) {
  tcplab::base::Pipe pipe = tcplab::base::make_pipe();
  const pid_t child = check("start a process", ::fork());
  if (child == 0) {
    ::dup2(pipe.write_end.get(), STDOUT_FILENO);
    std::vector<char*> arguments;
    for (std::string& word : command) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    ::execvp(arguments[0], arguments.data());
    ::_exit(127);
  }
  pipe.write_end.reset();
  std::string text(100, '\0');
  const ssize_t size = ::read(pipe.read_end.get(), text.data(), text.size());
  int status = 0;
  ::waitpid(child, &status, 0);
  if (size <= 0 || status != 0) throw tcplab::base::LabError("cannot run " + command.front());
  return std::strtod(text.c_str(), nullptr);
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

using Words = std::vector<std::string>;

/// How the load is run; the first is untraced, the second is ours. It writes events, as runs have
/// them. The last strace shows the same as these: times, durations, connections.
std::vector<Words> tracers(const std::string& tcplab) {
  return {{},
          {tcplab, "trace", "-f", "json", "-o", "/dev/null", "--"},
          {"strace", "-f", "-o", "/dev/null"},
          {"strace", "-f", "--seccomp-bpf", "-e", "trace=%network,%desc", "-o", "/dev/null"},
          {"strace", "-f", "--seccomp-bpf", "-tt", "-T", "-yy", "-e", "trace=%network,%desc", "-o",
           "/dev/null"}};
}

/// Prints lines for bench/run.
void compare(const std::string& what, const std::vector<double>& cost) {
  constexpr std::array kPeers = {"strace -f", "strace -f --seccomp-bpf", "the same, -tt -T -yy"};
  constexpr double kMicro = 1000;
  for (std::size_t peer = 0; peer < kPeers.size(); ++peer)
    std::printf("%-50s %8.3f us  %-25s %8.3f us\n", peer == 0 ? what.c_str() : "", cost[1] / kMicro,
                kPeers[peer], cost[peer + 2] / kMicro);
  std::fflush(stdout);
}

void measure(const std::string& self, const std::string& what, const std::string& kind,
             const std::string& count) {
  const int kRounds = tcplab::bench::rounds(15);
  const auto ways = tracers(std::filesystem::path(self).parent_path().parent_path() / "bin/tcplab");
  std::vector<std::vector<double>> costs(ways.size());
  for (int round = 0; round < kRounds; ++round) {
    double untraced = 0;
    for (std::size_t way = 0; way < ways.size(); ++way) {
      Words command = ways[way];
      command.insert(command.end(), {self, kind, count});
      const double time = figure_of(command);
      if (way == 0) untraced = time;
      costs[way].push_back(time - untraced);
    }
  }
  std::vector<double> medians;
  for (const auto& values : costs) medians.push_back(median(values));
  compare(what, medians);
}

/// Otherwise, the figures depend on how the scheduler places the tracer and the load.
void share_one_processor() {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(::sched_getcpu(), &one);
  ::sched_setaffinity(0, sizeof one, &one);
  const sched_param priority{1};
  ::sched_setscheduler(0, SCHED_FIFO, &priority);  // fails unless root; then go on without
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc == 3) {
    std::printf("%f\n", run_load(argv[1], std::atoi(argv[2])));
    return 0;
  }
  share_one_processor();
  const std::string self = std::filesystem::canonical("/proc/self/exe");
  measure(self, "tracing: what a call on a TCP socket costs more", "tcp", "3000");
  measure(self, "tracing: what a call on a pipe costs more", "pipe", "3000");
  measure(self, "tracing: what a call that is not traced costs more", "none", "50000");
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
