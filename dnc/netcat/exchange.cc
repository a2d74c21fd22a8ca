#include "dnc/netcat/exchange.hh"

#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace tcplab::dnc {

namespace {

using std::chrono::milliseconds;

constexpr int kOver = POLLERR | POLLHUP | POLLNVAL;  // reported whether asked for or not

// poll(2) takes a file for ready always; a write to one, or to /dev/null, neither blocks nor
// raises SIGPIPE. So the record may wait for a better moment, which a bulk transfer is glad of.
Readiness readiness_of(int fd) {
  struct stat status {};
  if (::fstat(fd, &status) != 0) return Readiness::unknown;
  const bool null_device = S_ISCHR(status.st_mode) && status.st_rdev == makedev(1, 3);  // null(4)
  return S_ISREG(status.st_mode) || null_device ? Readiness::ready : Readiness::unknown;
}

bool passing(int error) { return error == EINTR || error == EAGAIN; }

}  // namespace

Exchange::Exchange(const Options& options, Recorder& recorder, int socket, StandardInput& input)
    : options_(options),
      recorder_(recorder),
      calls_(recorder),
      socket_(socket),
      input_(input),
      watch_(options.never_read ? Watch::end : Watch::data),
      input_readiness_(readiness_of(STDIN_FILENO)),
      output_readiness_(readiness_of(STDOUT_FILENO)),
      buffer_(options.read_size),
      outgoing_(options.read_size) {
  if (const auto remote = remote_endpoint(socket)) remote_ = remote->to_string();
}

Ending Exchange::run() {
  const AnswersForState answers(*this);
  while (true) {
    PollSet set = interests();
    say_when_only_a_signal_is_left(set);
    const Readiness readiness = set.standard_input.fd >= 0 ? input_readiness_ : Readiness::unknown;
    const CallResult answer = calls_.poll(set, time_left(), readiness);
    if (answer.failed()) {
      if (answer.error == EINTR) continue;
      complain("poll", answer.error);
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
    case Watch::end:
      into << (options_.never_read ? "never reading" : "its stream has ended");
      break;
    case Watch::gone:
      into << "dead";
      break;
  }
  into << "; stdin " << (input_.open ? "open" : "ended") << "; "
       << static_cast<std::int64_t>(pending_.size()) << " bytes not yet written; "
       << static_cast<std::int64_t>(recorder_.calls()) << " calls";
}

PollSet Exchange::interests() const {
  PollSet set;
  // What has been read from standard input goes out before more is read.
  if (input_.open && pending_.empty()) set.standard_input = {STDIN_FILENO, POLLIN, 0};
  if (watch_ == Watch::gone) return set;
  int events = watch_ == Watch::data ? POLLIN : 0;
  if (!pending_.empty()) events |= POLLOUT;
  set.socket = {socket_, static_cast<short>(events), 0};
  return set;
}

PollTimeout Exchange::time_left() const {
  PollTimeout left = options_.timeout;
  if (quit_at_) {
    const auto until = std::chrono::ceil<milliseconds>(*quit_at_ - base::now());
    left = std::max(milliseconds(0), left ? std::min(*left, until) : until);
  }
  return left;
}

void Exchange::say_when_only_a_signal_is_left(const PollSet& set) {
  if (pausing_ || input_.open || set.socket.events != 0 || options_.never_read) return;
  pausing_ = true;
  recorder_.note("read end-of-stream from both socket and stdin");
  recorder_.note("pausing until signal");
}

// Standard input first, as the article's dnc; but a socket with an error is read before it is
// written to, so that read is what brings the error.
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
  if (answer.failed() && passing(answer.error)) return std::nullopt;
  if (answer.failed()) complain("read from stdin", answer.error);
  if (answer.result <= 0) return stdin_has_ended();
  pending_ = {outgoing_.data(), static_cast<std::size_t>(answer.result)};
  return write_pending();
}

Exchange::Done Exchange::stdin_has_ended() {
  input_.open = false;
  if (options_.quit_after) quit_at_ = base::now() + *options_.quit_after;
  return act(options_.on_stdin_eof);
}

// A short write is followed at once by a write of the rest: one record each.
Exchange::Done Exchange::write_pending() {
  while (!pending_.empty()) {
    const CallResult answer = calls_.write(socket_, pending_);
    if (answer.failed()) return write_failed(answer.error);
    pending_.remove_prefix(static_cast<std::size_t>(answer.result));
  }
  return std::nullopt;
}

Exchange::Done Exchange::write_failed(int error) {
  if (passing(error)) return std::nullopt;  // poll for room, and write again
  pending_ = {};
  if (options_.on_error == OnError::keep) return std::nullopt;
  complain("write", error);
  return Ending::error;
}

Exchange::Done Exchange::serve_socket(int revents) {
  if (watch_ != Watch::gone && !options_.never_read && (revents & (POLLIN | kOver)) != 0)
    if (const Done done = read_socket(revents)) return done;
  if (options_.never_read && (revents & kOver) != 0) look_into_error(revents);
  if (pending_.empty() || (revents & (POLLOUT | kOver)) == 0) return std::nullopt;
  return write_pending();
}

Exchange::Done Exchange::read_socket(int revents) {
  const CallResult answer = calls_.read(socket_, buffer_, Readiness::ready);
  if (answer.failed()) return read_failed(answer.error, revents);
  if (answer.result == 0) return stream_has_ended(revents);
  return pass_on({buffer_.data(), static_cast<std::size_t>(answer.result)});
}

Exchange::Done Exchange::read_failed(int error, int revents) {
  if (passing(error)) {
    if ((revents & kOver) != 0) look_into_error(revents);
    return std::nullopt;
  }
  if (options_.on_error == OnError::exit) {
    complain("read", error);
    return Ending::error;
  }
  // The next read says 0, and that is worth seeing once; one that fails again says nothing new.
  if (read_has_failed_) watch_ = Watch::gone;
  read_has_failed_ = true;
  return std::nullopt;
}

// The end, read for the first time; or read again, because poll said ERR or HUP after it.
Exchange::Done Exchange::stream_has_ended(int revents) {
  watch_ = Watch::end;
  if ((revents & kOver) != 0) look_into_error(revents);
  if (std::exchange(end_acted_on_, true)) return std::nullopt;
  return act(options_.on_eof);
}

// read(2) said nothing of it: RST in CLOSE_WAIT leaves EPIPE, but the stream's end comes first
// (tcp_reset(), tcp_recvmsg()). Asking for SO_ERROR clears it.
void Exchange::look_into_error(int revents) {
  int error = 0;
  if ((revents & POLLERR) != 0) calls_.take_error(socket_, error);
  watch_ = Watch::gone;
}

Exchange::Done Exchange::pass_on(std::string_view bytes) {
  while (!bytes.empty()) {
    const CallResult answer = calls_.write(STDOUT_FILENO, bytes, output_readiness_);
    if (answer.failed() && answer.error == EAGAIN) {
      pollfd room{.fd = STDOUT_FILENO, .events = POLLOUT, .revents = 0};
      ::poll(&room, 1, -1);  // ours, not the exhibit's: whoever reads us is slow
    } else if (answer.failed() && answer.error != EINTR) {
      complain("write to stdout", answer.error);
      return Ending::output_gone;
    } else if (!answer.failed()) {
      bytes.remove_prefix(static_cast<std::size_t>(answer.result));
    }
  }
  return std::nullopt;
}

Exchange::Done Exchange::act(AtEnd action) {
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
