#include "uml/agent/programs.hh"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <map>
#include <string_view>

#include "base/error.hh"
#include "base/pseudoterminal.hh"
#include "capture/calls/traced_child.hh"
#include "netns/clone.hh"
#include "uml/agent/program_exec.hh"

namespace tcplab::uml {

namespace {

using base::FileDescriptor;

constexpr std::size_t kPart = 16 * 1024;

void make_non_blocking(int descriptor) {
  base::check("make a descriptor non-blocking", ::fcntl(descriptor, F_SETFL, O_NONBLOCK));
}

/// Returns the child's error; empty once execvp(3) has succeeded, which closes the pipe.
std::string read_error(const FileDescriptor& pipe) {
  std::array<char, 4096> text{};
  const long size = base::check("learn whether a program has started",
                                ::read(pipe.get(), text.data(), text.size()));
  return {text.data(), static_cast<std::size_t>(size)};
}

}  // namespace

pid_t Programs::start(const ProgramStart& request) {
  if (request.command.empty()) throw base::LabError("cannot run an empty command");
  std::list<Stream> streams;
  std::vector<FileDescriptor> theirs;
  theirs.reserve(request.descriptors.size() + 1);
  std::map<int, int> descriptors;
  if (request.has_terminal) {
    base::Pseudoterminal made = base::make_pseudoterminal();
    make_non_blocking(made.ours.get());
    theirs.push_back(std::move(made.theirs));
    for (const int standard : {0, 1, 2}) descriptors[standard] = theirs.back().get();
    streams.push_back({0, 0, netns::duplicate(made.ours.get()), StreamKind::input});
    streams.push_back({0, 1, std::move(made.ours), StreamKind::output});
  }
  for (const auto& [number, direction] : request.descriptors) {
    if (direction == StreamKind::nothing || descriptors.contains(number)) continue;
    base::Pipe pipe = base::make_pipe();
    const bool is_input = direction == StreamKind::input;
    FileDescriptor& ours = is_input ? pipe.write_end : pipe.read_end;
    theirs.push_back(std::move(is_input ? pipe.read_end : pipe.write_end));
    make_non_blocking(ours.get());
    descriptors[number] = theirs.back().get();
    streams.push_back({0, number, std::move(ours), direction});
  }
  const pid_t program = launch(request, descriptors);
  for (Stream& stream : streams) stream.program = program;
  streams_.splice(streams_.end(), streams);
  running_.insert(program);
  return program;
}

/// Starts the process, and lets it call exec.
pid_t Programs::launch(const ProgramStart& request, const std::map<int, int>& descriptors) {
  base::Pipe errors = base::make_pipe();
  std::optional<capture::TraceGate> gate;
  if (!request.trace.empty()) gate.emplace(capture::IoUring::refused);
  const pid_t program = base::check("create a process", ::fork());
  if (program == 0)
    become_program(request, descriptors, errors.write_end.get(), gate ? &*gate : nullptr);
  errors.write_end.reset();
  if (gate) {
    tracer_.seize(program, request.trace);
    gate->open();
    tracer_.await_exec(program);
  }
  const std::string failure = read_error(errors.read_end);
  if (failure.empty()) return program;
  if (!gate) ::waitpid(program, nullptr, 0);
  throw base::LabError(failure);
}

Programs::Stream* Programs::input_of(pid_t program) {
  const auto found = std::ranges::find_if(streams_, [&](const Stream& stream) {
    return stream.program == program && stream.direction == StreamKind::input;
  });
  return found == streams_.end() ? nullptr : &*found;
}

void Programs::input(pid_t program, Bytes bytes) {
  Stream* stream = input_of(program);
  if (stream == nullptr || stream->is_last) return;
  stream->to_write += as_text(bytes);
  serve(stream->pipe.get());
}

void Programs::close_input(pid_t program) {
  Stream* stream = input_of(program);
  if (stream == nullptr) return;
  stream->is_last = true;
  serve(stream->pipe.get());
}

void Programs::add_to(std::vector<pollfd>& waiting, bool may_send) const {
  for (const Stream& stream : streams_) {
    const bool is_output = stream.direction == StreamKind::output;
    if (is_output && may_send) waiting.push_back({stream.pipe.get(), POLLIN, 0});
    // An input is polled without POLLOUT, too: POLLERR says that nobody reads it any more.
    if (!is_output)
      waiting.push_back(
          {stream.pipe.get(), static_cast<short>(stream.to_write.empty() ? 0 : POLLOUT), 0});
  }
}

bool Programs::serve(int descriptor) {
  const auto stream = std::ranges::find_if(
      streams_, [&](const Stream& each) { return each.pipe.get() == descriptor; });
  if (stream == streams_.end()) return false;
  const bool goes_on =
      stream->direction == StreamKind::output ? relay(*stream) : write_some(*stream);
  if (!goes_on) streams_.erase(stream);
  return true;
}

bool Programs::relay(Stream& stream) {
  std::array<std::uint8_t, kPart> part;
  const ssize_t size = ::read(stream.pipe.get(), part.data(), part.size());
  if (size == -1 && (errno == EAGAIN || errno == EINTR)) return true;
  if (size <= 0) {
    end_output(stream);
    return false;
  }
  PayloadWriter to;
  to.number(static_cast<std::uint64_t>(stream.program));
  to.number(static_cast<std::uint64_t>(stream.descriptor));
  to.rest(Bytes(part).first(static_cast<std::size_t>(size)));
  channel_.send(Kind::output, to.payload());
  return true;
}

bool Programs::write_some(Stream& stream) {
  std::string& text = stream.to_write;
  if (!text.empty()) {
    const ssize_t size = ::write(stream.pipe.get(), text.data(), text.size());
    if (size == -1 && errno != EAGAIN && errno != EINTR) return false;  // nobody reads it
    if (size > 0) text.erase(0, static_cast<std::size_t>(size));
  } else if (!stream.is_last) {  // called for POLLERR
    return false;
  }
  return !text.empty() || !stream.is_last;
}

void Programs::end_output(const Stream& stream) {
  PayloadWriter to;
  to.number(static_cast<std::uint64_t>(stream.program));
  to.number(static_cast<std::uint64_t>(stream.descriptor));
  channel_.send(Kind::output_end, to.payload());
}

void Programs::reap() {
  int status = 0;
  pid_t ended = 0;
  while ((ended = ::waitpid(-1, &status, WNOHANG | __WALL)) > 0) {
    tracer_.handle(ended, status);
    if (WIFSTOPPED(status) || running_.erase(ended) == 0) continue;  // or an orphan
    for (auto stream = streams_.begin(); stream != streams_.end();) {
      pollfd waiting{stream->pipe.get(), POLLIN, 0};
      bool goes_on = true;
      const bool is_output = stream->program == ended && stream->direction == StreamKind::output;
      while (is_output && goes_on && ::poll(&waiting, 1, 0) > 0) goes_on = relay(*stream);
      stream = goes_on ? std::next(stream) : streams_.erase(stream);
    }
    tracer_.flush();
    PayloadWriter to;
    to.number(static_cast<std::uint64_t>(ended)).number(static_cast<std::uint64_t>(status));
    channel_.send(Kind::ended, to.payload());
  }
}

std::vector<std::uint64_t> open_sockets(const std::vector<pid_t>& processes) {
  namespace fs = std::filesystem;
  constexpr std::string_view kSocket = "socket:[";
  std::vector<std::uint64_t> inodes;
  for (const pid_t process : processes) {
    std::error_code gone;
    for (const auto& entry :
         fs::directory_iterator("/proc/" + std::to_string(process) + "/fd", gone)) {
      const std::string target = fs::read_symlink(entry.path(), gone).string();
      if (!target.starts_with(kSocket)) continue;
      std::uint64_t inode = 0;
      std::from_chars(target.data() + kSocket.size(), target.data() + target.size(), inode);
      inodes.push_back(inode);
    }
  }
  return inodes;
}

}  // namespace tcplab::uml
