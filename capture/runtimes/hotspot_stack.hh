// Walks the stack of a thread of HotSpot: from frame to frame, of the interpreter and of compiled
// code.
#pragma once

#include <optional>
#include <vector>

#include "capture/memory/memory_snapshot.hh"
#include "capture/runtimes/hotspot_code.hh"
#include "capture/runtimes/hotspot_methods.hh"
#include "capture/runtimes/hotspot_tables.hh"
#include "capture/runtimes/runtime.hh"

namespace tcplab::capture {

class HotspotStack {
public:
  HotspotStack(const ProcessMemory& memory, const HotspotTables& tables, HotspotPacking packing);

  /// Returns the frames from the last one that an anchor (JavaFrameAnchor) notes. Empty if it notes
  /// none. Throws UnreadableMemory if a frame does not fit, or leaves the stack.
  std::vector<RuntimeFrame> frames(Address anchor, MemoryRange stack) const;

private:
  struct Offsets {
    Address anchor_stack_pointer = 0;
    Address anchor_frame_pointer = 0;
    Address anchor_program_counter = 0;
    Address wrapper_anchor = 0;
    Address call_stub_return = 0;  // an address
    Address wrapper = 0;           // of JavaCallWrapper*, below the frame pointer
  };

  struct Frame {
    Address program_counter = 0;
    Address stack_pointer = 0;
    Address frame_pointer = 0;
  };

  static Offsets offsets_in(const HotspotTables& tables);
  std::optional<Frame> noted(Address anchor) const;
  std::optional<Frame> caller(const Frame& frame, std::vector<RuntimeFrame>& named) const;
  Frame caller_of_interpreted(const Frame& frame, std::vector<RuntimeFrame>& named) const;
  Frame caller_of_compiled(const Frame& frame, std::vector<RuntimeFrame>& named) const;

  const ProcessMemory& memory_;
  Offsets at_;
  HotspotCode code_;
  HotspotMethods methods_;
};

}  // namespace tcplab::capture
