#include "capture/probes/mapped_code.hh"

#include <algorithm>

namespace tcplab::capture {

namespace {

std::uint64_t page_of(std::uint64_t offset) {
  constexpr std::uint64_t kPage = 4096;
  return offset / kPage * kPage;
}

bool is_code(const LoadedPart& part, Address address) {
  return part.is_executable && address >= part.address && address - part.address < part.size;
}

}  // namespace

bool MappedCode::has(Address address) const {
  const Address in_process = address + bias();
  const bool is_mapped = in_process >= mapping_.start && in_process < mapping_.end;
  // The kernel makes one mapping of neighbours: so another part may be there, too.
  return is_mapped && std::ranges::any_of(file_.parts, [&](const LoadedPart& part) {
           return part.address - part.offset == shift_ && is_code(part, address);
         });
}

bool has_code(const ProbeFile& file, Address address) {
  return std::ranges::any_of(file.parts,
                             [address](const LoadedPart& part) { return is_code(part, address); });
}

/// Loaders map a part from the page of its first byte on. A mapping that begins later is the rest
/// of one whose rights were changed, mprotect(2).
std::optional<MappedCode> mapped_code(const Mapping& mapping, const ProbeFile& file) {
  const LoadedPart* found = nullptr;
  for (const LoadedPart& part : file.parts) {
    const bool is_there = part.is_executable && page_of(part.offset) <= mapping.offset &&
                          mapping.offset < part.offset + part.size;
    if (!is_there) continue;
    const bool is_later = found == nullptr || page_of(part.offset) > page_of(found->offset);
    const bool is_same = !is_later && page_of(part.offset) == page_of(found->offset);
    if (is_same && part.address - part.offset != found->address - found->offset)
      return std::nullopt;
    if (is_later) found = &part;
  }
  if (found == nullptr) return std::nullopt;
  return MappedCode(mapping, file, *found);
}

}  // namespace tcplab::capture
