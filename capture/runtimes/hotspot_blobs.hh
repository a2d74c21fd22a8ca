// The header of a piece of code that HotSpot has made (CodeBlob), and of a compiled method
// (nmethod). Versions differ in where they keep what belongs to it.
#pragma once

#include <memory>

#include "capture/runtimes/hotspot_tables.hh"

namespace tcplab::capture {

/// Addresses, where nothing else is said. Those after `is_native` are 0 if it is not compiled.
struct HotspotBlob {
  Address code = 0;
  Address code_end = 0;
  Address frame_size = 0;    // in bytes
  bool is_compiled = false;  // from a method
  bool is_native = false;    // compiled to call a native method, without scopes
  Address method = 0;
  Address places = 0;  // its PcDescs
  Address places_end = 0;
  Address scopes = 0;
  Address metadata = 0;
  Address metadata_end = 0;
  Address deoptimizes = 0;         // where it is left for the interpreter
  Address deoptimizes_handle = 0;  // the same, in a call of a method handle
  Address true_return = 0;         // where a frame keeps its return address then: an offset
};

class HotspotBlobs {
public:
  HotspotBlobs() = default;
  HotspotBlobs(const HotspotBlobs&) = delete;
  HotspotBlobs& operator=(const HotspotBlobs&) = delete;
  virtual ~HotspotBlobs() = default;

  virtual HotspotBlob read(Address begin) const = 0;
};

/// Returns the reader of this version's blobs. Throws UnreadableMemory if it is not known.
std::unique_ptr<HotspotBlobs> hotspot_blobs(const ProcessMemory& memory,
                                            const HotspotTables& tables);

}  // namespace tcplab::capture
