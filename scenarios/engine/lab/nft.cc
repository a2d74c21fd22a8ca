#include "scenarios/engine/lab/nft.hh"

#include <poll.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "base/error.hh"
#include "base/file_descriptor.hh"
#include "netns/clone.hh"
#include "netns/host.hh"
#include "scenarios/engine/lab/needs.hh"

namespace tcplab::engine {

namespace {

constexpr int kAttentionSpan = 1;  // milliseconds
// What firewalls and NATs begin with.
constexpr const char* kProbe = R"(
table inet tcplab_probe {
  chain forward {
    type filter hook forward priority filter; policy accept;
    ct state established accept
  }
}
delete table inet tcplab_probe
)";

/// Puts the text into a memfd. Unlike a pipe, it never blocks.
base::FileDescriptor file_of(const std::string& text) {
  base::FileDescriptor file(
      base::check("make a file in memory", memfd_create("ruleset", MFD_CLOEXEC)));
  for (std::size_t done = 0; done < text.size();)
    done += static_cast<std::size_t>(base::check(
        "write a ruleset", ::write(file.get(), text.data() + done, text.size() - done)));
  base::check("rewind a ruleset", lseek(file.get(), 0, SEEK_SET));
  return file;
}

std::string read_all(int descriptor, const std::function<void()>& meanwhile) {
  std::string text;
  std::array<char, 4096> buffer{};
  for (;;) {
    pollfd readable{descriptor, POLLIN, 0};
    while (poll(&readable, 1, kAttentionSpan) == 0)
      if (meanwhile) meanwhile();
    const ssize_t size = ::read(descriptor, buffer.data(), buffer.size());
    if (size == -1 && errno == EINTR) continue;
    if (base::check("read what nft says", size) == 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(size));
  }
}

/// "/dev/stdin:2:9-12: Error: syntax error, ..." and more lines -> "its line 2: syntax error, ...".
std::string complaint(const std::string& said) {
  std::string line = said.substr(0, said.find('\n'));
  static const std::string kError = "Error: ";
  const auto number = line.find(':');
  const auto error = line.find(kError);
  if (error == std::string::npos || number >= error) return line;
  return "its line " + line.substr(number + 1, line.find(':', number + 1) - number - 1) + ": " +
         line.substr(error + kError.size());
}

/// How nft ended, and what it said.
struct NftAnswer {
  int status = 0;
  std::string said{};
};

netns::SpawnRequest nft_request(std::vector<std::string> command, const base::Pipe& output) {
  return {.command = std::move(command),
          .environment = {{"LC_ALL", "C"}},
          .descriptors = {{1, output.write_end.get()}, {2, output.write_end.get()}}};
}

NftAnswer run_nft(netns::Host& host, const std::string& ruleset,
                  const std::function<void()>& meanwhile) {
  const base::FileDescriptor input = file_of(ruleset);
  base::Pipe output = base::make_pipe();
  netns::SpawnRequest request = nft_request({find_program("nft"), "-f", "-"}, output);
  request.descriptors[0] = input.get();
  netns::Spawned spawned = host.spawn(request);
  output.write_end.reset();
  NftAnswer answer{.said = read_all(output.read_end.get(), meanwhile)};
  answer.status = netns::wait_for({spawned.pid, std::move(spawned.pidfd)});
  return answer;
}

/// Appends what the pipe has now.
void drain(int descriptor, std::string& text) {
  std::array<char, 4096> buffer{};
  for (pollfd readable{descriptor, POLLIN, 0}; poll(&readable, 1, 0) == 1;) {
    const ssize_t size = ::read(descriptor, buffer.data(), buffer.size());
    if (size <= 0) return;
    text.append(buffer.data(), static_cast<std::size_t>(size));
  }
}

/// The same on a host with a kernel of its own. What nft says comes while this waits for its end.
/// Nobody could feed its standard input meanwhile, so a shell does.
NftAnswer run_nft_inside(netns::Machine& machine, const std::string& ruleset,
                         const std::function<void()>& meanwhile) {
  base::Pipe output = base::make_pipe();
  const auto program = machine.start(nft_request(
      {"sh", "-c", R"(printf %s "$1" | "$0" -f -)", find_program("nft"), ruleset}, output));
  output.write_end.reset();
  NftAnswer answer;
  for (;;) {
    const std::optional<netns::ProgramEnd> end = program->try_wait();
    drain(output.read_end.get(), answer.said);
    if (end) {
      answer.status = end->has_exited ? end->value : -1;
      return answer;
    }
    if (meanwhile) meanwhile();
    pollfd ended{program->end_descriptor(), POLLIN, 0};
    poll(&ended, 1, kAttentionSpan);
  }
}

/// A kernel without nftables refuses every ruleset.
void require_nftables(netns::Machine& machine, const std::function<void()>& meanwhile) {
  const NftAnswer answer = run_nft_inside(machine, kProbe, meanwhile);
  if (answer.status != 0)
    throw Skip("the kernel of this run's hosts has no nftables (nft: \"" + complaint(answer.said) +
               "\")");
}

}  // namespace

void load_ruleset(netns::Machine& machine, const std::string& ruleset,
                  const std::function<void()>& meanwhile) {
  netns::Host* host = machine.namespaces();
  const NftAnswer answer = host != nullptr ? run_nft(*host, ruleset, meanwhile)
                                           : run_nft_inside(machine, ruleset, meanwhile);
  if (answer.status == 0) return;
  if (host == nullptr) require_nftables(machine, meanwhile);
  throw base::UsageError("nft on " + machine.config().name + " refuses the ruleset, " +
                         complaint(answer.said));
}

}  // namespace tcplab::engine
