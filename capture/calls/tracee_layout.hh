// Reads the structures that a call's arguments point to. 32-bit code has smaller words in them.
#pragma once

#include <sys/uio.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/clock.hh"
#include "capture/calls/call_stop.hh"
#include "capture/calls/tracee_memory.hh"

namespace tcplab::capture {

/// A word of the program's memory: where it is, what is there, and its size in bytes (4 or 8).
struct TraceeWord {
  TraceeAddress address = 0;
  std::uint64_t value = 0;
  std::size_t size = sizeof(std::uint64_t);
};

/// Writes the word. Unlike process_vm_writev(2), ptrace(2) also writes to memory that the program
/// cannot write to. Returns whether it could.
bool write_word(pid_t thread, const TraceeWord& word);

/// An array of struct iovec.
struct BufferList {
  TraceeAddress address = 0;
  std::uint64_t count = 0;
};

/// Returns the buffers, as many as are there.
std::vector<iovec> read_buffers(const CallStop& stop, const BufferList& list);
/// Returns the length of a buffer in the program's memory.
TraceeWord length_of_buffer(const CallStop& stop, const BufferList& list, std::size_t index,
                            const iovec& buffer);

/// The buffers of the struct msghdr at an address; empty if it cannot be read.
std::optional<BufferList> read_message(const CallStop& stop, TraceeAddress address);
/// Returns the number of these buffers, in the struct msghdr.
TraceeWord count_of_buffers(const CallStop& stop, TraceeAddress message, const BufferList& list);

/// Returns the sum of msg_len of the first `count` structs mmsghdr at an address.
std::int64_t octets_of_messages(const CallStop& stop, TraceeAddress address, std::size_t count);

/// The struct timespec at an address: the time that a call waits. Empty if it cannot be read.
std::optional<base::nanoseconds> read_timespec(const CallStop& stop, TraceeAddress address);
/// The struct timeval at an address.
std::optional<base::nanoseconds> read_timeval(const CallStop& stop, TraceeAddress address);

}  // namespace tcplab::capture
