// Finds the goroutines of a Go program that its runtime has parked until a descriptor is ready.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "capture/memory/process_image.hh"
#include "capture/runtimes/go_layout.hh"

namespace tcplab::capture {

/// A goroutine, and the runtime.pollDesc in which it is registered.
struct ParkedGoroutine {
  Address address = 0;  // of its runtime.g
  std::uint64_t number = 0;
  std::string reason{};  // "IO wait"
  Address stack_low = 0;
  Address stack_high = 0;
  Address stack_pointer = 0;
  Address program_counter = 0;
  Address poll = 0;     // 0: not found
  int descriptor = -1;  // of `poll`
  bool writes = false;
  std::int64_t deadline = 0;  // of runtime.nanotime(), CLOCK_MONOTONIC; 0: none, -1: has expired

  bool operator==(const ParkedGoroutine&) const = default;
};

class Goroutines {
public:
  /// `symbols`: those that begin with "runtime.".
  Goroutines(const ProcessMemory& memory, const GoLayout& layout, const Symbols& symbols);

  /// Whether all needed symbols were there.
  bool are_known() const { return list_ != 0 && length_ != 0 && reasons_ != 0; }

  /// Returns those that wait for a descriptor. Throws UnreadableMemory if their list is garbage.
  std::vector<ParkedGoroutine> parked() const { return parked_for(kForDescriptor); }

  /// Returns those that wait for one of several channels.
  std::vector<ParkedGoroutine> selecting() const { return parked_for("select"); }

  /// Whether it still waits, in the same place.
  bool is_still_parked(const ParkedGoroutine& goroutine) const;

private:
  static constexpr std::string_view kForDescriptor = "IO wait";

  std::vector<ParkedGoroutine> parked_for(std::string_view reason) const;
  std::optional<ParkedGoroutine> look_at(Address goroutine, std::string_view reason) const;
  std::string reason_text(std::uint8_t number) const;
  void find_descriptor(ParkedGoroutine& goroutine) const;
  bool take_poll(Address poll, ParkedGoroutine& goroutine) const;

  const ProcessMemory& memory_;
  GoLayout layout_;
  Address list_;
  Address length_;
  Address reasons_;
};

}  // namespace tcplab::capture
