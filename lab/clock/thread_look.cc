#include "lab/clock/thread_look.hh"

#include <linux/futex.h>
#include <sys/syscall.h>

#include <array>
#include <charconv>
#include <cstdlib>
#include <string>

namespace tcplab::lab {

namespace {

/// Returns the text after "NAME:" in a line; empty if there is no such line.
std::string_view field(std::string_view text, std::string_view name) {
  for (std::size_t at = text.find(name); at != std::string_view::npos;
       at = text.find(name, at + 1)) {
    const bool is_line = at == 0 || text[at - 1] == '\n';
    const std::size_t colon = at + name.size();
    if (!is_line || colon >= text.size() || text[colon] != ':') continue;
    std::string_view rest = text.substr(colon + 1);
    rest = rest.substr(0, rest.find('\n'));
    const std::size_t first = rest.find_first_not_of(" \t");
    return first == std::string_view::npos ? std::string_view() : rest.substr(first);
  }
  return {};
}

template <typename Number>
Number number_in(std::string_view text) {
  Number number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

std::string_view last_word(std::string_view text) {
  const std::size_t space = text.find_last_of(" \t");
  return space == std::string_view::npos ? text : text.substr(space + 1);
}

/// The number of a system call, and its arguments.
struct CallWords {
  long number = -1;
  std::array<std::uint64_t, 6> arguments{};
};

/// Reads "7 0x7ffd 0x1 0xffffffff 0x0 0x0 0x0 0x7ffd 0x7f12": stack and code come last.
CallWords parse_call(std::string_view text) {
  CallWords call;
  const std::string copy(text);
  char* at = nullptr;
  call.number = std::strtol(copy.c_str(), &at, 10);
  if (at == copy.c_str()) return {};
  for (std::uint64_t& argument : call.arguments) argument = std::strtoull(at, &at, 16);
  return call;
}

Wait timed_if(bool is_timed) { return is_timed ? Wait::timed : Wait::untimed; }
bool has_milliseconds(std::uint64_t argument) { return static_cast<std::int32_t>(argument) >= 0; }

Wait wait_of_futex(const CallWords& call) {
  switch (call.arguments[1] & FUTEX_CMD_MASK) {
    case FUTEX_WAIT:
    case FUTEX_WAIT_BITSET:
    case FUTEX_LOCK_PI:
      return timed_if(call.arguments[3] != 0);
    default:
      return Wait::unknown;
  }
}

Wait wait_of(const CallWords& call) {
  const auto& arguments = call.arguments;
  switch (call.number) {
    case SYS_read:
    case SYS_readv:
    case SYS_recvfrom:
    case SYS_recvmsg:
    case SYS_write:
    case SYS_writev:
    case SYS_sendto:
    case SYS_sendmsg:
    case SYS_accept4:
    case SYS_wait4:
    case SYS_waitid:
    case SYS_rt_sigsuspend:
      return Wait::untimed;
    case SYS_ppoll:
    case SYS_rt_sigtimedwait:
      return timed_if(arguments[2] != 0);
    case SYS_pselect6:
      return timed_if(arguments[4] != 0);
    case SYS_epoll_pwait:
      return timed_if(has_milliseconds(arguments[3]));
    case SYS_futex:
      return wait_of_futex(call);
    case SYS_nanosleep:
    case SYS_clock_nanosleep:
    case SYS_restart_syscall:
      return Wait::timed;
#ifdef SYS_poll  // newer architectures have only the calls above
    case SYS_pause:
      return Wait::untimed;
    case SYS_poll:
      return timed_if(has_milliseconds(arguments[2]));
    case SYS_select:
      return timed_if(arguments[4] != 0);
    case SYS_epoll_wait:
      return timed_if(has_milliseconds(arguments[3]));
#endif
    default:
      return Wait::unknown;
  }
}

}  // namespace

std::optional<ThreadLook> parse_thread_status(std::string_view text) {
  const std::string_view state = field(text, "State");
  const std::string_view own = field(text, "NSpid");
  const std::string_view voluntary = field(text, "voluntary_ctxt_switches");
  const std::string_view forced = field(text, "nonvoluntary_ctxt_switches");
  if (state.empty() || own.empty() || voluntary.empty() || forced.empty()) return std::nullopt;
  return ThreadLook{
      .own_id = number_in<pid_t>(last_word(own)),
      .sleeps = state.front() == 'S',
      .switches = number_in<std::uint64_t>(voluntary) + number_in<std::uint64_t>(forced)};
}

/// A thread that is in no system call has a first word of -1 there, or "running".
void add_call(ThreadLook& thread, std::string_view text) {
  const CallWords call = parse_call(text);
  thread.call = call.number;
  thread.wait = call.number < 0 ? Wait::none : wait_of(call);
}

}  // namespace tcplab::lab
