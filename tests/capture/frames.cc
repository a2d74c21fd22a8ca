#include "tests/capture/frames.hh"

#include <cctype>
#include <string>

namespace tcplab::tests {

namespace {

FrameBytes u16(unsigned number) { return {std::uint8_t(number >> 8), std::uint8_t(number)}; }
FrameBytes u32(std::uint32_t number) { return u16(number >> 16) + u16(number & 0xffff); }

FrameBytes macs() {
  return FrameBytes(kKodosMac, kKodosMac + 6) + FrameBytes(kKangMac, kKangMac + 6);
}

FrameBytes ipv6_address(std::uint8_t last) {
  FrameBytes address(16);
  address[0] = 0xfd;
  address[15] = last;
  return address;
}

const FrameBytes kSynOptions = bytes_of("0204 05b4 0402 080a 00000001 00000000 01 0303 07");

}  // namespace

FrameBytes bytes_of(std::string_view hexadecimal) {
  FrameBytes bytes;
  std::string digits;
  for (const char letter : hexadecimal)
    if (std::isxdigit(static_cast<unsigned char>(letter)) != 0) digits += letter;
  for (std::size_t at = 0; at + 1 < digits.size(); at += 2)
    bytes.push_back(std::uint8_t(std::stoi(digits.substr(at, 2), nullptr, 16)));
  return bytes;
}

FrameBytes operator+(FrameBytes left, const FrameBytes& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

FrameBytes ethernet(std::uint16_t type, const FrameBytes& payload) {
  return macs() + u16(type) + payload;
}

FrameBytes tagged_ethernet(std::uint16_t vlan, std::uint16_t type, const FrameBytes& payload) {
  return macs() + u16(0x8100) + u16(vlan) + u16(type) + payload;
}

FrameBytes ipv4(std::uint8_t protocol, const FrameBytes& payload, const FrameBytes& options,
                std::uint16_t fragment) {
  const auto header_size = 20 + options.size();
  FrameBytes header = {std::uint8_t(0x40 | header_size / 4), 0};
  header = header + u16(unsigned(header_size + payload.size())) + u16(7) + u16(fragment);
  header = header + FrameBytes{64, protocol} + u16(0) + bytes_of("0a000001 0a000002");
  return header + options + payload;
}

FrameBytes ipv6(std::uint8_t protocol, const FrameBytes& payload) {
  const FrameBytes header =
      u32(0x60000000) + u16(unsigned(payload.size())) + FrameBytes{protocol, 64};
  return header + ipv6_address(1) + ipv6_address(2) + payload;
}

FrameBytes tcp(const TcpFields& fields) {
  const auto words = unsigned(5 + fields.options.size() / 4);
  return u16(40000) + u16(8080) + u32(fields.sequence) + u32(fields.acknowledgment) +
         u16(words << 12 | fields.flags) + u16(502) + u32(0) + fields.options + fields.payload;
}

FrameBytes udp(const FrameBytes& payload) {
  return u16(40000) + u16(7000) + u16(unsigned(8 + payload.size())) + u16(0) + payload;
}

FrameBytes tcp_frame(base::Family family, const TcpFields& fields) {
  return family == base::Family::ipv4 ? ethernet(0x0800, ipv4(6, tcp(fields)))
                                      : ethernet(0x86dd, ipv6(6, tcp(fields)));
}

FrameBytes arp_request() {
  return ethernet(0x0806,
                  bytes_of("0001 0800 06 04 0001 020000000001 0a000001 000000000000 0a000002"));
}

std::vector<FrameBytes> sample_frames() {
  const FrameBytes data = bytes_of("68656c6c6f0a");
  const FrameBytes sack = bytes_of("0101 0512 00001389 0000138a 00001400 00001500");
  const FrameBytes sack_padded = bytes_of("0101") + sack + bytes_of("0000");
  const FrameBytes segment = tcp({.payload = data});
  return {
      tcp_frame(base::Family::ipv4, {.flags = 0x02, .options = kSynOptions}),
      tcp_frame(base::Family::ipv6, {.flags = 0x12, .options = kSynOptions}),
      tcp_frame(base::Family::ipv4, {.flags = 0x18, .payload = data}),
      tcp_frame(base::Family::ipv4, {.options = sack_padded}),
      tagged_ethernet(42, 0x0800, ipv4(6, segment)),
      ethernet(0x0800, ipv4(6, segment, bytes_of("94040000"))),       // router alert
      ethernet(0x0800, ipv4(6, segment, {}, 0x2000)),                 // the first fragment
      ethernet(0x0800, ipv4(6, segment, {}, 0x00b9)),                 // a later fragment
      ethernet(0x86dd, ipv6(0, bytes_of("3c 00 0104 00000000") +      // hop-by-hop
                                   bytes_of("2b 00 0104 00000000") +  // destination options
                                   bytes_of("2c 00 0000 00000000") +  // routing
                                   bytes_of("06 00 0001 00000007") +  // fragment
                                   segment)),
      ethernet(0x0800, ipv4(17, udp(data))),
      ethernet(0x86dd, ipv6(17, udp(data))),
      arp_request(),
      ethernet(0x0800, ipv4(1, bytes_of("08 00 0000 0001 0002") + data)),
      ethernet(0x0800, ipv4(1, bytes_of("03 03 0000 0000 0000") + ipv4(6, segment))),
      ethernet(0x0800, ipv4(1, bytes_of("03 04 0000 0000 0578") + ipv4(6, segment))),
      ethernet(0x86dd, ipv6(58, bytes_of("02 00 0000 00000500") + ipv6(6, segment))),
      ethernet(0x86dd, ipv6(58, bytes_of("87 00 0000 00000000 fd00000000000000 0000000000000002"
                                         "0101 020000000001"))),
      ethernet(0x86dd, ipv6(58, bytes_of("88 00 0000 60000000 fd00000000000000 0000000000000002"
                                         "0201 020000000002"))),
  };
}

}  // namespace tcplab::tests
