// A run's capture for somebody who watches while it goes on: a pipe, a FIFO or a file. The lab
// waits for nobody: what a slow reader has not taken is kept, up to a limit, and beyond it frames
// are left out and counted. A reader that goes away is told of once, and the run goes on.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/file_descriptor.hh"

namespace tcplab::engine {

/// "-" is standard output; a FIFO is waited for until somebody reads it. Throws base::UsageError
/// where it cannot be written, and for a terminal.
base::FileDescriptor open_capture_stream(const std::string& file);

class CaptureStream {
public:
  /// The descriptor stays the caller's. `limit`: bytes that are kept for a slow reader.
  explicit CaptureStream(int descriptor, std::size_t limit = std::size_t{16} << 20)
      : descriptor_(descriptor), limit_(limit) {}

  /// Told, for people, what has become of the stream.
  std::function<void(const std::string&)> on_notice;

  /// Whole blocks of a pcapng file.
  void take(std::span<const std::uint8_t> blocks);
  /// Writes what the reader has room for, without waiting for it.
  void pump();
  /// Writes all that is left; now it waits for the reader, which may take its time.
  void finish();

private:
  bool has_room(int patience) const;
  void write_some();
  void notice(const std::string& text) const;

  int descriptor_;
  std::size_t limit_;
  std::vector<std::uint8_t> waiting_;
  std::size_t written_ = 0;  // of what waits
  std::uint64_t left_out_ = 0;
  bool is_broken_ = false;
};

}  // namespace tcplab::engine
