// Reads pcapng files (draft-ietf-opsawg-pcapng) with any number of sections and interfaces, each
// with a link type, a snap length and a time resolution of its own. libpcap refuses such files.
// Bounded memory.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <vector>

#include "capture/files/captured_frame.hh"

namespace tcplab::capture {

class PcapngReader {
public:
  /// Takes the file over and closes it.
  explicit PcapngReader(std::FILE* file);

  /// Returns the next frame, whose bytes are valid until the next call; nullopt at the end. Throws
  /// base::UsageError, with the reason only, if the file is cut off or damaged.
  std::optional<CapturedFrame> next();

private:
  struct Closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  struct Interface {
    LinkType link = LinkType::ethernet;
    std::uint32_t snap_length = 0;    // 0 if unlimited
    std::uint64_t units = 1'000'000;  // of a timestamp, in a second
    std::int64_t offset = 0;          // seconds that are added to each timestamp
  };
  /// The fixed fields of a packet block.
  struct Packet {
    std::uint32_t interface = 0;
    std::uint64_t timestamp = 0;
    std::uint32_t captured = 0;
    std::uint32_t length = 0;
    std::size_t data = 0;  // the offset in the block's body
  };

  bool read_block();
  void read_body(std::uint32_t length);
  void begin_section();
  void add_interface();
  void take_option(Interface& interface, std::uint16_t code, Bytes value) const;
  std::optional<Packet> packet() const;
  Packet enhanced_packet() const;
  Packet simple_packet() const;
  Packet old_packet() const;
  CapturedFrame frame_of(const Packet& packet) const;
  std::uint16_t number16(Bytes bytes, std::size_t at) const;
  std::uint32_t number32(Bytes bytes, std::size_t at) const;
  std::uint64_t number64(Bytes bytes, std::size_t at) const;
  void need(std::size_t size) const;

  std::unique_ptr<std::FILE, Closer> file_;
  std::vector<Interface> interfaces_;  // of the section
  bool is_big_endian_ = false;
  std::uint32_t type_ = 0;          // of the current block
  std::vector<std::uint8_t> body_;  // of the current block
};

}  // namespace tcplab::capture
