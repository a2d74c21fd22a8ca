#include "lab/wire/ip_fragments.hh"

#include <algorithm>

#include "base/error.hh"
#include "capture/decode/decode_layers.hh"
#include "lab/wire/packet_layout.hh"

namespace tcplab::lab {

namespace {

constexpr std::size_t kUnit = 8;  // of fragment offsets
constexpr std::size_t kFragmentHeader = 8;
constexpr std::uint8_t kFragmentNumber = 44;    // IPPROTO_FRAGMENT
constexpr std::uint8_t kIdentification = 0x2a;  // any: the fragments of one packet share it

/// Writes what makes an IPv4 header that of a fragment.
void set_offset(std::vector<std::uint8_t>& frame, const PacketLayout& layout, std::size_t offset,
                bool is_last) {
  constexpr std::size_t kMoreFragments = 0x2000;
  put_u16(frame, layout.ip + 4, kIdentification);
  put_u16(frame, layout.ip + 6, offset / kUnit | (is_last ? 0 : kMoreFragments));
}

/// Inserts IPv6's fragment header before the payload.
void insert_header(std::vector<std::uint8_t>& frame, const PacketLayout& layout, std::size_t offset,
                   bool is_last) {
  std::vector<std::uint8_t> header(kFragmentHeader);
  header[0] = layout.protocol;
  put_u16(header, 2, offset | (is_last ? 0 : 1));  // the offset in units, shifted by 3
  header[7] = kIdentification;
  frame.at(layout.ip + 6) = kFragmentNumber;
  frame.insert(frame.begin() + static_cast<std::ptrdiff_t>(layout.transport), header.begin(),
               header.end());
}

/// The lengths and the checksum of an IP header whose packet ends with the frame.
void finish(std::vector<std::uint8_t>& frame, PacketLayout layout) {
  layout.end = frame.size();
  layout.protocol = 0;  // the transport header has its checksum already
  fix_lengths(frame, layout);
  fix_checksums(frame, layout);
}

}  // namespace

std::vector<std::vector<std::uint8_t>> in_fragments(netns::Bytes frame, std::size_t size) {
  if (size == 0 || size % kUnit != 0)
    throw base::UsageError("the size of IP fragments is a multiple of 8 bytes");
  const PacketLayout layout = layout_of(frame).value();
  const netns::Bytes headers = frame.first(layout.transport);
  const netns::Bytes payload = frame.subspan(layout.transport, layout.end - layout.transport);
  std::vector<std::vector<std::uint8_t>> fragments;
  for (std::size_t offset = 0; offset < payload.size(); offset += size) {
    const netns::Bytes part = payload.subspan(offset, std::min(size, payload.size() - offset));
    const bool is_last = offset + part.size() == payload.size();
    std::vector<std::uint8_t> fragment(headers.begin(), headers.end());
    fragment.insert(fragment.end(), part.begin(), part.end());
    if (layout.is_ipv4)
      set_offset(fragment, layout, offset, is_last);
    else
      insert_header(fragment, layout, offset, is_last);
    finish(fragment, layout);
    fragments.push_back(std::move(fragment));
  }
  return fragments;
}

}  // namespace tcplab::lab
