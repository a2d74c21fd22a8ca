// The numbers of the pcapng format, for those who read it and write it
// (draft-ietf-opsawg-pcapng). Section numbers are the draft's.
#pragma once

#include <cstdint>

namespace tcplab::capture::pcapng {

// Block types, section 4.
constexpr std::uint32_t kSectionHeader = 0x0a0d0d0a;  // the same in either byte order
constexpr std::uint32_t kInterfaceDescription = 1;
constexpr std::uint32_t kOldPacket = 2;  // obsolete: appendix A
constexpr std::uint32_t kSimplePacket = 3;
constexpr std::uint32_t kNameResolution = 4;
constexpr std::uint32_t kInterfaceStatistics = 5;
constexpr std::uint32_t kEnhancedPacket = 6;

constexpr std::uint32_t kByteOrderMagic = 0x1a2b3c4d;

// Options of every block, section 3.5, and of an interface, section 4.2.
constexpr std::uint16_t kEndOfOptions = 0;
constexpr std::uint16_t kTimeStampResolution = 9;
constexpr std::uint16_t kTimeStampOffset = 14;

}  // namespace tcplab::capture::pcapng
