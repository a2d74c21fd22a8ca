// Reads the memory of a process, live or kept in a core file, as values and texts. A runtime of a
// language (runtime.hh) follows dozens of pointers, so a value that cannot be read is an exception:
// the reader of a stack catches it, and names nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace tcplab::capture {

/// An address in the process that is read.
using Address = std::uint64_t;

class UnreadableMemory : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

class ProcessMemory {
public:
  ProcessMemory() = default;
  ProcessMemory(const ProcessMemory&) = delete;
  ProcessMemory& operator=(const ProcessMemory&) = delete;
  virtual ~ProcessMemory() = default;

  /// Returns how many bytes were read: fewer than asked at the end of a mapping, 0 if there is
  /// none.
  virtual std::size_t read(Address from, std::span<std::byte> into) const = 0;

  /// Allows as many reads again as one question may take. Memory may be full of loops: a question
  /// that takes more is not answered, but throws UnreadableMemory.
  void renew() const { reads_ = 0; }

  /// Reads a value, or throws UnreadableMemory.
  template <typename Value>
  requires std::is_trivially_copyable_v<Value> Value value(Address from)
  const {
    Value value{};
    read_all(from, std::as_writable_bytes(std::span(&value, 1)));
    return value;
  }

  Address pointer(Address from) const { return value<Address>(from); }

  /// Reads `size` bytes, or throws UnreadableMemory. More than a megabyte is taken for garbage.
  std::vector<std::byte> bytes(Address from, std::size_t size) const;

  /// The same as text.
  std::string text(Address from, std::size_t size) const;

  /// Reads up to the first null byte, at most `limit` bytes.
  std::string c_string(Address from, std::size_t limit = 256) const;

protected:
  /// Throws UnreadableMemory if the question has taken too many reads.
  void count_read() const;

private:
  void read_all(Address from, std::span<std::byte> into) const;

  mutable std::size_t reads_ = 0;
};

/// The memory of a process that runs: process_vm_readv(2).
class LiveMemory final : public ProcessMemory {
public:
  explicit LiveMemory(pid_t process) : process_(process) {}
  std::size_t read(Address from, std::span<std::byte> into) const override;

private:
  pid_t process_;
};

}  // namespace tcplab::capture
