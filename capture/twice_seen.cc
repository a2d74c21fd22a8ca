#include "capture/twice_seen.hh"

#include <fstream>
#include <string_view>

namespace tcplab::capture {

namespace {

constexpr std::uint32_t kSectionHeader = 0x0a0d0d0a;
constexpr std::uint32_t kInterface = 1;
constexpr std::uint32_t kByteOrderMagic = 0x1a2b3c4d;

struct Block {
  std::uint32_t type = 0;
  std::uint32_t length = 0;
};

bool read_block(std::ifstream& file, Block& block, bool swapped) {
  if (!file.read(reinterpret_cast<char*>(&block), sizeof block)) return false;
  if (swapped) block = {__builtin_bswap32(block.type), __builtin_bswap32(block.length)};
  return block.length >= 12;
}

}  // namespace

bool has_several_interfaces(const std::string& name) {
  std::ifstream file(name, std::ios::binary);
  Block block;
  std::uint32_t magic = 0;
  if (!file.read(reinterpret_cast<char*>(&block), sizeof block)) return false;
  if (block.type != kSectionHeader) return false;
  if (!file.read(reinterpret_cast<char*>(&magic), sizeof magic)) return false;
  const bool swapped = magic != kByteOrderMagic;
  if (swapped) block.length = __builtin_bswap32(block.length);
  file.seekg(block.length);
  int interfaces = 0;
  // Name resolution and the like may stand between interfaces; a packet (3, 6) ends the list.
  while (interfaces < 2 && read_block(file, block, swapped) && block.type != 3 && block.type != 6) {
    if (block.type == kInterface) ++interfaces;
    file.seekg(block.length - sizeof block, std::ios::cur);
  }
  return interfaces > 1;
}

bool TwiceSeen::is_again(Bytes frame, std::int64_t at, std::int64_t longest) {
  const std::string_view octets(reinterpret_cast<const char*>(frame.data()), frame.size());
  const std::size_t hash = std::hash<std::string_view>{}(octets);
  for (Seen& seen : seen_) {
    if (seen.is_paired || seen.hash != hash || seen.size != frame.size()) continue;
    seen.is_paired = true;
    if (at - seen.at < longest) return true;
  }
  seen_[next_++ % seen_.size()] = {hash, frame.size(), at, false};
  return false;
}

}  // namespace tcplab::capture
