// Where the code of a file with probes is in a process.
#pragma once

#include <optional>

#include "capture/memory/process_image.hh"
#include "capture/probes/probe_file.hh"

namespace tcplab::capture {

/// An executable mapping of a file.
class MappedCode {
public:
  /// `mapping` and `file` must outlive it.
  MappedCode(const Mapping& mapping, const ProbeFile& file, const LoadedPart& part)
      : mapping_(mapping), file_(file), shift_(part.address - part.offset) {}

  /// What to add to the file's addresses to get those of this mapping.
  Address bias() const { return mapping_.start - mapping_.offset - shift_; }

  /// Returns whether this mapping has the code at this address of the file.
  bool has(Address address) const;

private:
  const Mapping& mapping_;
  const ProbeFile& file_;
  Address shift_;  // from offsets in the file to addresses of the file
};

/// Returns whether the file has code at this address, wherever it is mapped.
bool has_code(const ProbeFile& file, Address address);

/// Returns the code that is mapped there; nothing if the file has no code in this place, or if its
/// program headers do not say which code it is. Linkers let parts share a page of the file (lld
/// does for each two): such a page is mapped once for each part, at different addresses.
std::optional<MappedCode> mapped_code(const Mapping& mapping, const ProbeFile& file);

}  // namespace tcplab::capture
