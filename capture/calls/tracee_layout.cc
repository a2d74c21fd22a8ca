#include "capture/calls/tracee_layout.hh"

#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <algorithm>
#include <chrono>

namespace tcplab::capture {

namespace {

// include/net/compat.h and include/linux/compat.h.
struct BufferOfI386 {
  std::uint32_t base;
  std::uint32_t length;
};
struct MessageOfI386 {
  std::uint32_t name;
  std::int32_t name_length;
  std::uint32_t buffers;
  std::uint32_t buffer_count;
  std::uint32_t control;
  std::uint32_t control_length;
  std::uint32_t flags;
};
struct SeveralMessagesOfI386 {
  MessageOfI386 message;
  std::uint32_t length;
};
struct TimeOfI386 {
  std::int32_t seconds;
  std::int32_t part;
};
struct WideTime {
  std::int64_t seconds;
  std::int64_t part;
};

bool is_i386(const CallStop& stop) { return stop.abi == Abi::i386; }

/// A program may say "for ever" by any number of seconds; std::chrono::nanoseconds end after 292
/// years.
std::chrono::seconds within_a_century(std::int64_t count) {
  constexpr std::int64_t kCentury = 36525LL * 24 * 3600;
  return std::chrono::seconds(std::clamp<std::int64_t>(count, 0, kCentury));
}

/// A part that is no part of a second is an error (EINVAL).
std::int64_t within_a_second(std::int64_t part) {
  return std::clamp<std::int64_t>(part, 0, 999'999'999);
}

/// The seconds, and nanoseconds or microseconds.
std::optional<WideTime> read_time(const CallStop& stop, TraceeAddress address) {
  if (!is_i386(stop) || stop.call->has_wide_times)
    return read_value<WideTime>(stop.thread, address);
  const auto time = read_value<TimeOfI386>(stop.thread, address);
  if (!time) return std::nullopt;
  return WideTime{time->seconds, time->part};
}

}  // namespace

bool write_word(pid_t thread, const TraceeWord& word) {
  if (word.size == sizeof(std::uint64_t))
    return ::ptrace(PTRACE_POKEDATA, thread, word.address, word.value) == 0;
  // ptrace(2) writes 8 bytes. Aligned, they are in one page.
  constexpr std::uint64_t kHalf = 0xffffffff;
  constexpr unsigned kHalfBits = 32;
  const TraceeAddress place = word.address & ~std::uint64_t{7};
  const unsigned shift = place == word.address ? 0 : kHalfBits;
  const auto before = read_value<std::uint64_t>(thread, place);
  if (!before) return false;
  const std::uint64_t after = (*before & ~(kHalf << shift)) | (word.value & kHalf) << shift;
  return ::ptrace(PTRACE_POKEDATA, thread, place, after) == 0;
}

std::vector<iovec> read_buffers(const CallStop& stop, const BufferList& list) {
  if (!is_i386(stop)) return read_values<iovec>(stop.thread, list.address, list.count);
  std::vector<iovec> buffers;
  for (const BufferOfI386& one : read_values<BufferOfI386>(stop.thread, list.address, list.count))
    buffers.push_back({reinterpret_cast<void*>(std::uintptr_t{one.base}), one.length});
  return buffers;
}

TraceeWord length_of_buffer(const CallStop& stop, const BufferList& list, std::size_t index,
                            const iovec& buffer) {
  if (!is_i386(stop))
    return {list.address + index * sizeof(iovec) + offsetof(iovec, iov_len), buffer.iov_len};
  return {list.address + index * sizeof(BufferOfI386) + offsetof(BufferOfI386, length),
          buffer.iov_len, sizeof(std::uint32_t)};
}

std::optional<BufferList> read_message(const CallStop& stop, TraceeAddress address) {
  if (is_i386(stop)) {
    const auto message = read_value<MessageOfI386>(stop.thread, address);
    if (!message) return std::nullopt;
    return BufferList{message->buffers, message->buffer_count};
  }
  const auto message = read_value<msghdr>(stop.thread, address);
  if (!message) return std::nullopt;
  return BufferList{reinterpret_cast<TraceeAddress>(message->msg_iov), message->msg_iovlen};
}

TraceeWord count_of_buffers(const CallStop& stop, TraceeAddress message, const BufferList& list) {
  if (!is_i386(stop)) return {message + offsetof(msghdr, msg_iovlen), list.count};
  return {message + offsetof(MessageOfI386, buffer_count), list.count, sizeof(std::uint32_t)};
}

std::int64_t octets_of_messages(const CallStop& stop, TraceeAddress address, std::size_t count) {
  std::int64_t octets = 0;
  if (is_i386(stop)) {
    for (const auto& one : read_values<SeveralMessagesOfI386>(stop.thread, address, count))
      octets += one.length;
  } else {
    for (const mmsghdr& one : read_values<mmsghdr>(stop.thread, address, count))
      octets += one.msg_len;
  }
  return octets;
}

std::optional<base::nanoseconds> read_timespec(const CallStop& stop, TraceeAddress address) {
  const auto time = read_time(stop, address);
  if (!time) return std::nullopt;
  return within_a_century(time->seconds) + base::nanoseconds(within_a_second(time->part));
}

std::optional<base::nanoseconds> read_timeval(const CallStop& stop, TraceeAddress address) {
  const auto time = read_time(stop, address);
  if (!time) return std::nullopt;
  return within_a_century(time->seconds) + std::chrono::microseconds(within_a_second(time->part));
}

}  // namespace tcplab::capture
