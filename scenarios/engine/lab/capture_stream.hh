// A run's capture for somebody who watches while it goes on: a pipe, a FIFO or a file. The lab
// waits for nobody: what a slow reader has not taken is kept, up to a limit, and beyond it frames
// are left out and counted. A reader that goes away is told of once, and the run goes on.
// A reader of one NIC's frames sees what tcpdump would there: of all NICs it has each frame once
// for every end, which Wireshark takes for retransmissions.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/file_descriptor.hh"

namespace tcplab::engine {

/// "-" is standard output; a FIFO is waited for until somebody reads it. Throws base::UsageError
/// where it cannot be written, and for a terminal.
base::FileDescriptor open_capture_stream(const std::string& file);

/// Who watches, and what of it.
struct CaptureCopy {
  int descriptor = -1;  // -1: nobody watches
  std::string nic{};    // "kang.eth1"; "kang": its first one; empty: all of them
};

class CaptureStream {
public:
  /// The descriptor stays the caller's. `limit`: bytes that are kept for a slow reader.
  explicit CaptureStream(CaptureCopy copy, std::size_t limit = std::size_t{16} << 20)
      : descriptor_(copy.descriptor), nic_(std::move(copy.nic)), limit_(limit) {}

  /// Told, for people, what has become of the stream.
  std::function<void(const std::string&)> on_notice;

  /// A NIC's interface in the blocks that follow; its name has its host's before the dot.
  void interface(std::uint32_t number, const std::string& name);
  /// Whole blocks of a pcapng file.
  void take(std::span<const std::uint8_t> blocks);
  /// Writes what the reader has room for, without waiting for it.
  void pump();
  /// Writes all that is left; now it waits for the reader, which may take its time.
  void finish();
  /// Throws base::UsageError where there was no such NIC.
  void check_nic() const;

private:
  bool is_wanted(std::span<const std::uint8_t> block) const;
  bool has_room(int patience) const;
  void write_some();
  void notice(const std::string& text) const;

  int descriptor_;
  std::string nic_;
  std::optional<std::uint32_t> interface_;  // that NIC's
  std::vector<std::string> nics_;           // that there are
  std::size_t limit_;
  std::vector<std::uint8_t> waiting_;
  std::size_t written_ = 0;  // of what waits
  std::uint64_t left_out_ = 0;
  bool is_broken_ = false;
};

}  // namespace tcplab::engine
