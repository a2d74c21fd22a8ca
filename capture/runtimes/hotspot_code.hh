// The code that HotSpot has made: which piece of it (a blob) has an address, how large its stack
// frame is, and which methods compiled code executes there, inlined ones included.
#pragma once

#include <memory>
#include <vector>

#include "capture/runtimes/hotspot_blobs.hh"
#include "capture/runtimes/hotspot_lines.hh"
#include "capture/runtimes/hotspot_tables.hh"

namespace tcplab::capture {

/// What a frame of compiled code executes.
struct HotspotScope {
  Address method = 0;
  int bytecode = 0;  // its index; -1: none
};

class HotspotCode {
public:
  HotspotCode(const ProcessMemory& memory, const HotspotTables& tables, HotspotPacking packing);

  /// Returns true if the interpreter executes this code.
  bool is_interpreter(Address program_counter) const;

  /// Returns the blob that has this address. Throws UnreadableMemory if none has.
  HotspotBlob blob(Address program_counter) const;

  /// Returns the methods of a frame of compiled code, the innermost first; none for other code (a
  /// stub). `return_address`: of the call that the frame makes. `stack_pointer`: where the frame
  /// begins; if HotSpot has decided to leave this code, it keeps the true return address there.
  std::vector<HotspotScope> scopes(const HotspotBlob& blob, Address return_address,
                                   Address stack_pointer) const;

private:
  struct Offsets {
    Address heaps = 0;  // an address
    Address array_length = 0;
    Address array_data = 0;
    Address heap_low = 0;
    Address heap_high = 0;
    Address heap_segments = 0;
    Address heap_shift = 0;  // CodeHeap::_log2_segment_size
    Address block_used = 0;
    Address block_size = 0;
    Address interpreter = 0;  // an address
    Address stubs_begin = 0;
    Address stubs_size = 0;
    Address scope_of_place = 0;  // PcDesc::_scope_decode_offset
    Address place_size = 0;
  };

  static Offsets offsets_in(const HotspotTables& tables);
  Address blob_in(Address heap, Address low, Address program_counter) const;
  std::uint32_t scope_at(const HotspotBlob& blob, Address return_address) const;
  Address method_at(const HotspotBlob& blob, std::uint32_t index) const;

  const ProcessMemory& memory_;
  Offsets at_;
  std::unique_ptr<HotspotBlobs> blobs_;
  HotspotPacking packing_;
};

}  // namespace tcplab::capture
