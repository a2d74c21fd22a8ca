#include "lab/programs/nft.hh"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <optional>

#include "base/error.hh"
#include "base/file_descriptor.hh"
#include "lab/programs/needs.hh"

namespace tcplab::lab {

namespace {

constexpr int kAttentionSpan = 1;  // milliseconds
// execve(2): an argument may have 32 pages, with its NUL.
constexpr std::size_t kLongestRuleset = std::size_t{32} * 4096 - 1;
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

/// Appends what the pipe has now.
void drain(int descriptor, std::string& text) {
  std::array<char, 4096> buffer{};
  for (pollfd readable{descriptor, POLLIN, 0}; poll(&readable, 1, 0) == 1;) {
    const ssize_t size = ::read(descriptor, buffer.data(), buffer.size());
    if (size <= 0) return;
    text.append(buffer.data(), static_cast<std::size_t>(size));
  }
}

/// Runs nft on the ruleset. A shell on the host writes its standard input. On a kernel host, the
/// run could not do so while it waits here.
NftAnswer run_nft(netns::Machine& machine, const std::string& ruleset,
                  const std::function<void()>& meanwhile) {
  base::Pipe output = base::make_pipe();
  const auto program = machine.start(
      {.command = {"sh", "-c", R"(printf %s "$1" | "$0" -f -)", find_program("nft"), ruleset},
       .environment = {{"LC_ALL", "C"}},
       .descriptors = {{1, output.write_end.get()}, {2, output.write_end.get()}}});
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
  const NftAnswer answer = run_nft(machine, kProbe, meanwhile);
  if (answer.status != 0)
    throw Skip("the kernel of this run's hosts has no nftables (nft: \"" + complaint(answer.said) +
               "\")");
}

}  // namespace

void load_ruleset(netns::Machine& machine, const std::string& ruleset,
                  const std::function<void()>& meanwhile) {
  const std::string& host = machine.config().name;
  require_kernel_tcp(machine, "nftables");
  if (ruleset.size() > kLongestRuleset)
    throw base::UsageError("the ruleset for " + host + " has " + std::to_string(ruleset.size()) +
                           " bytes, and may have " + std::to_string(kLongestRuleset) +
                           "; load it from a file with " + host + ":run(\"nft\", \"-f\", FILE)");
  const NftAnswer answer = run_nft(machine, ruleset, meanwhile);
  if (answer.status == 0) return;
  if (machine.namespaces() == nullptr) require_nftables(machine, meanwhile);
  throw base::UsageError("nft on " + host + " refuses the ruleset, " + complaint(answer.said));
}

}  // namespace tcplab::lab
