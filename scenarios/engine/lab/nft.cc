#include "scenarios/engine/lab/nft.hh"

#include <poll.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "base/error.hh"
#include "base/file_descriptor.hh"
#include "netns/clone.hh"
#include "scenarios/engine/lab/needs.hh"

namespace tcplab::engine {

namespace {

constexpr int kAttentionSpan = 1;  // milliseconds

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
  static const std::string kPlace = "/dev/stdin:";
  static const std::string kError = "Error: ";
  if (!line.starts_with(kPlace)) return line;
  const std::string number =
      line.substr(kPlace.size(), line.find(':', kPlace.size()) - kPlace.size());
  const auto error = line.find(kError);
  if (error == std::string::npos) return line;
  return "its line " + number + ": " + line.substr(error + kError.size());
}

}  // namespace

void load_ruleset(netns::Host& host, const std::string& ruleset,
                  const std::function<void()>& meanwhile) {
  const base::FileDescriptor input = file_of(ruleset);
  base::Pipe output = base::make_pipe();
  netns::Spawned spawned =
      host.spawn({.command = {find_program("nft"), "-f", "-"},
                  .environment = {{"LC_ALL", "C"}},
                  .descriptors = {
                      {0, input.get()}, {1, output.write_end.get()}, {2, output.write_end.get()}}});
  output.write_end.reset();
  const std::string said = read_all(output.read_end.get(), meanwhile);
  const int status = netns::wait_for({spawned.pid, std::move(spawned.pidfd)});
  if (status != 0)
    throw base::UsageError("nft on " + host.config().name + " refuses the ruleset, " +
                           complaint(said));
}

}  // namespace tcplab::engine
