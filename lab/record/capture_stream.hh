// Copies a run's capture, while it runs, to a pipe, a FIFO or a file. The lab never waits for the
// reader: it keeps what a slow reader has not read, up to a limit, and then leaves out frames and
// counts them. If the reader goes away, it says so once, and the run goes on. With one NIC the
// reader sees what tcpdump would see there. With all NICs each frame comes once for every end,
// which Wireshark takes for retransmissions.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/file_descriptor.hh"

namespace tcplab::lab {

/// Opens the file; "-" is standard output. For a FIFO, waits for a reader. Throws base::UsageError
/// if it cannot be written, or if it is a terminal.
base::FileDescriptor open_capture_stream(const std::string& file);

/// Where to copy to, and what.
struct CaptureCopy {
  int descriptor = -1;  // -1: nowhere
  std::string nic{};    // "kang.eth1"; "kang": its first NIC; empty: all NICs
};

class CaptureStream {
public:
  /// Does not own the descriptor. `limit`: bytes to keep for a slow reader.
  explicit CaptureStream(CaptureCopy copy, std::size_t limit = std::size_t{16} << 20)
      : descriptor_(copy.descriptor), nic_(std::move(copy.nic)), limit_(limit) {}

  /// Called with a message for the user.
  std::function<void(const std::string&)> on_notice;

  /// Names a NIC's interface in the blocks that follow: "kang.eth0".
  void interface(std::uint32_t number, const std::string& name);
  /// Takes whole blocks of a pcapng file.
  void take(std::span<const std::uint8_t> blocks);
  /// Writes as much as the reader has room for, without waiting.
  void pump();
  /// Writes the rest, and waits for the reader.
  void finish();
  /// Throws base::UsageError if there was no such NIC.
  void check_nic() const;

private:
  bool is_wanted(std::span<const std::uint8_t> block) const;
  bool has_room(int patience) const;
  void write_some();
  void notice(const std::string& text) const;

  int descriptor_;
  std::string nic_;
  std::optional<std::uint32_t> interface_;  // of that NIC
  std::vector<std::string> nics_;           // all of them
  std::size_t limit_;
  std::vector<std::uint8_t> waiting_;
  std::size_t written_ = 0;  // of waiting_
  std::uint64_t left_out_ = 0;
  bool is_broken_ = false;
};

}  // namespace tcplab::lab
