// Faults that change the bytes of a frame. The receiver's kernel drops a frame whose checksum is
// wrong (RFC 9293 section 3.1), unless the fault corrects it.
#pragma once

#include "lab/wire/fault.hh"

namespace tcplab::lab {

/// Changes one byte.
class CorruptFault : public Fault {
public:
  struct Change {
    std::optional<std::size_t>
        offset{};           // in the segment, as in tcp[n]; else the first of the data
    std::uint8_t flip = 1;  // these bits
    std::optional<std::uint8_t> value{};  // or it becomes this
    bool fixes_checksum = false;
  };
  CorruptFault(FaultScope scope, const Change& change) : Fault(std::move(scope)), change_(change) {}

private:
  capture::ActionVerb verb() const override { return capture::ActionVerb::corrupt; }
  std::string options() const override;
  void act(FrameInTransit& frame_in_transit) override;

  Change change_;
};

/// Cuts the end of an IP packet off.
class TruncateFault : public Fault {
public:
  TruncateFault(FaultScope scope, std::size_t to, bool fixes_checksum)
      : Fault(std::move(scope)), to_(to), fixes_checksum_(fixes_checksum) {}

private:
  capture::ActionVerb verb() const override { return capture::ActionVerb::truncate; }
  std::string options() const override;
  void act(FrameInTransit& frame_in_transit) override;

  std::size_t to_;  // bytes of the IP packet that are left
  bool fixes_checksum_;
};

}  // namespace tcplab::lab
