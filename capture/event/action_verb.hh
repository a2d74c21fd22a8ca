// What scripts do, as facts of events: the verbs of actions, and the faults that they make.
#pragma once

#include <cstdint>
#include <string>

namespace tcplab::capture {

/// What a script does: to a host, to a program, or to frames on the wire. The verbs from `lose` to
/// `truncate` make faults, `inject` changes system calls.
enum class ActionVerb : std::uint8_t {
  power_off,
  power_on,
  power_cycle,
  crash,
  reboot,
  unplug,
  plug,
  type,
  close_stdin,
  stop,
  signal,
  kill,
  freeze,
  thaw,
  sysctl,
  nft,
  route,
  mtu,  // of a host's NIC; without a host: the fault
  link,
  add_address,
  remove_address,
  wait,
  idle,
  forge,
  lose,
  cut,
  hold,
  delay,
  limit,
  duplicate,
  reorder,
  corrupt,
  truncate,
  release,
  remove,
  inject,
};

/// What a verb does to the power of its host.
enum class PowerChange : std::uint8_t {
  none,
  cut,      // at once: the peer hears nothing more
  restart,  // its programs end first, then its kernel starts again
  on,
};

PowerChange power_change(ActionVerb verb);

/// True if the kernel forgets its connections.
inline bool forgets_connections(ActionVerb verb) {
  const PowerChange change = power_change(verb);
  return change == PowerChange::cut || change == PowerChange::restart;
}

/// A fault, as its script states it. In the effects of a fault with a name, only verb and name.
struct FaultRule {
  ActionVerb verb = ActionVerb::lose;
  std::string name;       // empty if the script gives none
  std::string options;    // of its verb: "50.0 ms", "byte 13, to 0x11"
  std::string selection;  // which of the frames: "2 of "; empty for all
  std::string from;       // host; empty or "*": any
  std::string to;
  std::string filter;  // a packet word or a pcap filter, and fields; empty: every frame
  std::string link;    // only there; empty: on every link

  bool operator==(const FaultRule&) const = default;
};

}  // namespace tcplab::capture
