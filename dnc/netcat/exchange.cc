#include "dnc/netcat/exchange.hh"

#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "dnc/calls/sockets.hh"

namespace tcplab::dnc {

namespace {

using std::chrono::milliseconds;

constexpr int kErrorEvents = POLLERR | POLLHUP | POLLNVAL;  // poll reports these without a request

// A file is always ready for poll(2); a write to a file or to /dev/null neither blocks nor raises
// SIGPIPE. So the log need not be flushed before such a call, which makes bulk transfers faster.
Readiness readiness_of(int fd) {
  struct stat status {};
  if (::fstat(fd, &status) != 0) return Readiness::unknown;
  const bool null_device = S_ISCHR(status.st_mode) && status.st_rdev == makedev(1, 3);  // null(4)
  return S_ISREG(status.st_mode) || null_device ? Readiness::ready : Readiness::unknown;
}

bool is_transient(int error) { return error == EINTR || error == EAGAIN; }

}  // namespace

Exchange::Exchange(const Options& options, Recorder& recorder, int socket, StandardInput& input)
    : options_(options),
      recorder_(recorder),
      calls_(recorder),
      socket_(socket),
      input_(input),
      watch_(options.exchange.never_read ? Watch::errors : Watch::data),
      input_readiness_(readiness_of(STDIN_FILENO)),
      output_readiness_(readiness_of(STDOUT_FILENO)),
      buffer_(options.exchange.read_size),
      outgoing_(options.exchange.read_size) {
  if (const auto remote = sockets().remote(socket)) remote_ = remote->to_string();
}

Ending Exchange::run() {
  const StateReportGuard guard(*this);
  while (true) {
    if (has_ended_both_ways()) return Ending::finished;
    PollSet set = poll_set();
    note_if_only_a_signal_can_end(set);
    const Readiness readiness = set.standard_input.fd >= 0 ? input_readiness_ : Readiness::unknown;
    const CallResult answer = calls_.poll(set, time_left(), readiness);
    if (answer.failed()) {
      if (answer.error == EINTR) continue;
      print_error("poll", answer.error);
      return Ending::error;
    }
    if (const Done done = handle(set, static_cast<int>(answer.result))) return *done;
  }
}

void Exchange::describe_state(ArgumentText& into) const {
  into << "fd " << socket_ << " to " << remote_ << ": ";
  switch (watch_) {
    case Watch::data:
      into << "reading";
      break;
    case Watch::errors:
      into << (options_.exchange.never_read ? "never reading" : "end of stream");
      break;
    case Watch::none:
      into << "not polled any more";
      break;
  }
  into << "; stdin " << (input_.open ? "open" : "ended") << "; "
       << static_cast<std::int64_t>(pending_.size()) << " bytes not yet written; "
       << static_cast<std::int64_t>(recorder_.calls()) << " calls";
}

PollSet Exchange::poll_set() const {
  PollSet set;
  // Data from standard input is written before more is read.
  if (input_.open && pending_.empty()) set.standard_input = {STDIN_FILENO, POLLIN, 0};
  if (watch_ == Watch::none) return set;
  int events = watch_ == Watch::data ? POLLIN : 0;
  if (!pending_.empty()) events |= POLLOUT;
  set.socket = {socket_, static_cast<short>(events), 0};
  return set;
}

/// With -N or -q: nothing more can come from either side, and all of it is written.
bool Exchange::has_ended_both_ways() const {
  return options_.exchange.ends_after_both && !input_.open && end_acted_on_ && pending_.empty();
}

PollTimeout Exchange::time_left() const {
  PollTimeout left = options_.timeout;
  if (quit_at_) {
    const auto until = std::chrono::ceil<milliseconds>(*quit_at_ - base::now());
    left = std::max(milliseconds(0), left ? std::min(*left, until) : until);
  }
  return left;
}

void Exchange::note_if_only_a_signal_can_end(const PollSet& set) {
  if (pausing_ || input_.open || set.socket.events != 0 || options_.exchange.never_read) return;
  pausing_ = true;
  recorder_.note("read end-of-stream from both socket and stdin");
  recorder_.note("pausing until signal");
}

// Serves standard input first, as the article's dnc did. But if the socket has an error, it reads
// the socket first, so that read(2), and not write(2), returns the error.
Exchange::Done Exchange::handle(const PollSet& set, int ready) {
  if (ready == 0) {
    const bool quitting = quit_at_ && base::now() >= *quit_at_;
    return quitting ? Ending::finished : Ending::idle;
  }
  const bool error_first = (set.socket.revents & POLLERR) != 0;
  if (error_first)
    if (const Done done = serve_socket(set.socket.revents)) return done;
  if (set.standard_input.revents != 0)
    if (const Done done = serve_stdin()) return done;
  return error_first ? std::nullopt : serve_socket(set.socket.revents);
}

Exchange::Done Exchange::serve_stdin() {
  const CallResult answer = calls_.read(STDIN_FILENO, outgoing_, Readiness::ready);
  if (answer.failed() && is_transient(answer.error)) return std::nullopt;
  if (answer.failed()) print_error("read from stdin", answer.error);
  if (answer.result <= 0) return stdin_has_ended();
  pending_ = {outgoing_.data(), static_cast<std::size_t>(answer.result)};
  return write_pending();
}

Exchange::Done Exchange::stdin_has_ended() {
  input_.open = false;
  if (options_.exchange.quit_after) quit_at_ = base::now() + *options_.exchange.quit_after;
  return carry_out(options_.exchange.on_stdin_eof);
}

// After a short write, writes the rest with another call, which has its own record.
Exchange::Done Exchange::write_pending() {
  while (!pending_.empty()) {
    const CallResult answer = calls_.write(socket_, pending_);
    if (answer.failed()) return write_failed(answer.error);
    pending_.remove_prefix(static_cast<std::size_t>(answer.result));
  }
  return std::nullopt;
}

Exchange::Done Exchange::write_failed(int error) {
  if (is_transient(error)) return std::nullopt;  // poll for OUT, then write again
  pending_ = {};
  if (options_.exchange.on_error == OnError::keep) return std::nullopt;
  print_error("write", error);
  return Ending::error;
}

Exchange::Done Exchange::serve_socket(int revents) {
  if (watch_ != Watch::none && !options_.exchange.never_read &&
      (revents & (POLLIN | kErrorEvents)) != 0)
    if (const Done done = read_socket(revents)) return done;
  if (options_.exchange.never_read && (revents & kErrorEvents) != 0) handle_error_event(revents);
  if (pending_.empty() || (revents & (POLLOUT | kErrorEvents)) == 0) return std::nullopt;
  return write_pending();
}

Exchange::Done Exchange::read_socket(int revents) {
  const CallResult answer = calls_.read(socket_, buffer_, Readiness::ready);
  if (answer.failed()) return read_failed(answer.error, revents);
  if (answer.result == 0) return stream_has_ended(revents);
  return write_to_stdout({buffer_.data(), static_cast<std::size_t>(answer.result)});
}

Exchange::Done Exchange::read_failed(int error, int revents) {
  if (is_transient(error)) {
    if ((revents & kErrorEvents) != 0) handle_error_event(revents);
    return std::nullopt;
  }
  if (options_.exchange.on_error == OnError::exit) {
    print_error("read", error);
    return Ending::error;
  }
  // Usually the next read returns 0, so read once more. If that fails, too, stop polling.
  if (read_has_failed_) watch_ = Watch::none;
  read_has_failed_ = true;
  return std::nullopt;
}

// Handles a read that returned 0: the first, or another because poll reported ERR or HUP later.
Exchange::Done Exchange::stream_has_ended(int revents) {
  watch_ = Watch::errors;
  if ((revents & kErrorEvents) != 0) handle_error_event(revents);
  if (std::exchange(end_acted_on_, true)) return std::nullopt;
  return carry_out(options_.exchange.on_eof);
}

// Gets the error that read(2) did not return: a RST in CLOSE_WAIT sets EPIPE, but read returns the
// end of the stream first (tcp_reset(), tcp_recvmsg()). getsockopt SO_ERROR clears the error.
void Exchange::handle_error_event(int revents) {
  int error = 0;
  if ((revents & POLLERR) != 0) calls_.take_error(socket_, error);
  watch_ = Watch::none;
}

Exchange::Done Exchange::write_to_stdout(std::string_view bytes) {
  while (!bytes.empty()) {
    const CallResult answer = calls_.write(STDOUT_FILENO, bytes, output_readiness_);
    if (answer.failed() && answer.error == EAGAIN) {
      pollfd room{.fd = STDOUT_FILENO, .events = POLLOUT, .revents = 0};
      ::poll(&room, 1, -1);  // not recorded: it is about our slow reader, not about the socket
    } else if (answer.failed() && answer.error != EINTR) {
      print_error("write to stdout", answer.error);
      return Ending::stdout_failed;
    } else if (!answer.failed()) {
      bytes.remove_prefix(static_cast<std::size_t>(answer.result));
    }
  }
  return std::nullopt;
}

Exchange::Done Exchange::carry_out(AtEnd action) {
  switch (action) {
    case AtEnd::keep:
      return std::nullopt;
    case AtEnd::shutdown:
      calls_.shutdown(socket_, SHUT_WR);
      return std::nullopt;
    case AtEnd::close:
      return Ending::finished;
  }
  return std::nullopt;
}

}  // namespace tcplab::dnc
