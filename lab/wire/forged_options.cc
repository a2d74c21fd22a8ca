#include "lab/wire/forged_options.hh"

#include "base/error.hh"

namespace tcplab::lab {

namespace {

// The data offset has 4 bits: at most 15 words of 4 bytes, of which the header itself takes 5.
constexpr std::size_t kMostBytes = 40;
constexpr std::size_t kWord = 4;

std::string big_endian(std::uint32_t value, unsigned bytes) {
  std::string text;
  for (unsigned left = bytes; left > 0; --left)
    text += static_cast<char>(value >> (8 * (left - 1)) & 0xff);
  return text;
}

/// One option: its kind, its length with these two bytes, and its value.
std::string option(std::uint8_t kind, const std::string& value) {
  // A length above 255 does not fit, but then the header does not either.
  return big_endian(kind, 1) + big_endian(static_cast<std::uint32_t>(value.size() + 2), 1) + value;
}

std::string blocks(const std::vector<capture::SackBlock>& sack) {
  std::string text;
  for (const capture::SackBlock& block : sack)
    text += big_endian(block.begin, 4) + big_endian(block.end, 4);
  return text;
}

}  // namespace

std::string encode(const ForgedOptions& options) {
  std::string bytes;
  if (options.mss) bytes += option(2, big_endian(*options.mss, 2));
  if (options.window_scale) bytes += option(3, big_endian(*options.window_scale, 1));
  if (options.sack_permitted) bytes += option(4, "");
  if (!options.sack.empty()) bytes += option(5, blocks(options.sack));
  if (options.timestamps)
    bytes += option(8, big_endian(options.timestamps->value, 4) +
                           big_endian(options.timestamps->echo_reply, 4));
  if (options.fast_open) bytes += option(34, *options.fast_open);
  bytes += options.raw;
  if (bytes.size() > kMostBytes)
    throw base::UsageError("the TCP options need " + std::to_string(bytes.size()) +
                           " bytes; a TCP header has room for 40");
  bytes.resize((bytes.size() + kWord - 1) / kWord * kWord);  // kind 0: the end of the options
  return bytes;
}

}  // namespace tcplab::lab
