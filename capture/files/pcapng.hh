// Writes pcapng files (draft-ietf-opsawg-pcapng) with several named interfaces, packet comments and
// names for addresses. libpcap cannot write pcapng. The writer buffers in bounded memory: call
// finish() before you destroy it, or the rest of the buffer is lost. Section numbers are the
// draft's.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/bytes.hh"
#include "base/endpoint.hh"
#include "base/file_descriptor.hh"

namespace tcplab::capture {

enum class Direction : std::uint8_t { inbound = 1, outbound = 2 };  // epb_flags, bits 0-1

struct PcapngInterface {
  std::string name;         // "kang.eth0"
  std::string description;  // for people
  std::optional<std::array<std::uint8_t, 6>> mac{};
};

struct PcapngPacket {
  std::uint32_t interface = 0;
  std::int64_t at = 0;     // nanoseconds since 1970
  Bytes bytes;             // as captured
  std::size_t length = 0;  // on the wire; 0 if all bytes were captured
  Direction direction = Direction::outbound;
  std::string comment;   // one comment per line; empty if none
  std::uint64_t id = 0;  // the same for one frame on several interfaces; 0 if none
};

class PcapngWriter {
public:
  /// Writes the section header. `file` is the name for error messages.
  PcapngWriter(base::FileDescriptor descriptor, std::string file);

  /// Adds an Ethernet interface with nanosecond time stamps. Returns its number, from 0.
  std::uint32_t add_interface(const PcapngInterface& interface);
  /// Writes a name resolution block: the names of addresses.
  void add_names(const std::vector<std::pair<base::IpAddress, std::string>>& names);
  /// Writes a packet. Like flush(), throws base::SystemError that names the file (ENOSPC: the disk
  /// is full); the file may then end within a block.
  void write(const PcapngPacket& packet);
  void flush();
  /// Writes the statistics of each interface and flushes. Call it last.
  void finish();

  /// Called, if set, with the bytes that were just written: whole blocks.
  std::function<void(std::span<const std::uint8_t>)> on_written;

private:
  struct Statistics {
    std::int64_t first = 0;  // nanoseconds since 1970, of the packets
    std::int64_t last = 0;
    std::uint64_t packets = 0;
  };

  void put16(std::uint16_t value);
  void put32(std::uint32_t value);
  void put64(std::int64_t value);  // high half first, as in time stamps
  void put_bytes(const void* bytes, std::size_t size);
  void put_option(std::uint16_t code, const void* value, std::size_t size);
  void put_statistics(std::uint32_t interface);
  void put_time_option(std::uint16_t code, std::int64_t time);
  void put_text_option(std::uint16_t code, std::string_view text);
  void put_comments(std::string_view lines);
  void pad();
  std::size_t begin_block(std::uint32_t type);
  void end_block(std::size_t begin);

  base::FileDescriptor descriptor_;
  std::string file_;
  std::vector<std::uint8_t> buffer_;
  std::vector<Statistics> statistics_;  // one per interface
};

}  // namespace tcplab::capture
