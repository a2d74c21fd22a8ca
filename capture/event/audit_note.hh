// The marks that `tcplab audit` leaves in a run: which failure came at which moment of a request,
// and how the request ended. A run with them is a cell of an audit's table.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/clock.hh"

namespace tcplab::capture {

enum class AuditStep : std::uint8_t {
  begins,        // what the run does: the failure, the moment, the hosts
  starting,      // the server runs and does not listen yet
  moment,        // the moment has come
  failure,       // the failure begins: times are measured from here
  failure_ends,  // the network and the hosts work again
  after,         // the command of --after starts: what the failure did is judged by then
  judged,        // the request has ended, or the limit is over
};

/// How the request ended.
enum class AuditOutcome : std::uint8_t {
  unaffected,   // the right answer, and the program has noticed nothing
  recovered,    // the right answer, later or by another attempt
  error,        // the client said that it failed
  wrong_data,   // the client said that it succeeded, and the answer is wrong or incomplete
  hangs,        // neither an answer nor an error within the limit
  not_reached,  // the moment never came, so the failure was not tried
};

/// What a client that waits without end did after the command of --after.
enum class AuditReaction : std::uint8_t {
  printed,         // it wrote to standard output
  printed_error,   // it wrote to standard error
  sent,            // its program sent data on a TCP connection
  none,            // nothing of this, or not what it did in the baseline
  command_failed,  // the command did not end with status 0, so nothing was asked
  client_ended,    // baseline: the client ended before
  always_active,   // baseline: it did only what it also does without the command
};

struct AuditNote {
  AuditStep step = AuditStep::begins;
  std::string failure;        // begins: "power-off"; empty in the baseline, which has no failure
  std::string failure_title;  // begins: for people; empty: the name will do
  std::string moment;         // begins: "waiting"
  std::string moment_title;   // begins
  std::string side;           // begins: where it fails, "client", "server" or "path"
  base::nanoseconds lasts{};  // begins: when the failure ends by itself; 0: at once, or never
  base::nanoseconds limit{};  // begins: how long the client may take
  std::string client;         // begins: the host that the request comes from
  std::string server;         // begins: the host that answers it
  std::string program;        // begins: the client's program; empty: every program on its host
  AuditOutcome outcome = AuditOutcome::unaffected;  // judged
  std::string text;  // judged: what the user saw, its last line; not_reached: what did not come;
                     // starting: the last line of the server
  std::optional<AuditReaction> reaction{};  // judged: if there was a command of --after
};

}  // namespace tcplab::capture
