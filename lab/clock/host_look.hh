// Decides whether the processes of a stack host are idle, so that time may be skipped: what /proc
// shows of their threads, and what they have written into the clock's page.
//
// A host rests if each of its threads sleeps. Two looks with the same mark prove more: no thread
// has run in between, so between the two looks all of them slept at the same time.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "base/clock.hh"
#include "base/fnv_hash.hh"
#include "lab/clock/clock_page.hh"
#include "lab/clock/process_files.hh"

namespace tcplab::lab {

struct HostLook {
  enum class State : std::uint8_t {
    rests,
    runs,
    unseen,  // it may wait for the machine's clock
  };

  State state = State::rests;
  std::optional<base::Instant> next_timer{};  // if it rests
  std::uint64_t mark = base::kFnvBasis;       // changes whenever a thread has run
  std::string why{};                          // unless it rests: for people, after its name
};

/// Adds a process to what is known of its host. `now`: a deadline that has passed means that a
/// thread has been woken, or will be.
void add_process(HostLook& host, const ProcessLook& process, const HostClockPage& page,
                 base::Instant now);

/// Looks at all of them. Stops at the first that does not rest.
HostLook look_at_processes(std::span<ProcessFiles> processes, const HostClockPage& page);

}  // namespace tcplab::lab
