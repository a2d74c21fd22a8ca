// What a team requires of its program, and which cells miss it.
#pragma once

#include <optional>
#include <vector>

#include "audit/audit.hh"

namespace tcplab::audit {

/// Packets can pass again, but the client does nothing with what the server sends.
bool did_not_react(const Cell& cell);

/// Whether the client got what it asked for.
bool is_served(const Cell& cell);

struct Requirements {
  std::optional<base::nanoseconds> notice_within;   // --notice-within
  std::optional<base::nanoseconds> recover_within;  // --recover-within: after the failure's end
  bool no_repeat = false;                           // --no-repeat
};

enum class Requirement : std::uint8_t { notice_within, recover_within, no_repeat };

struct Miss {
  const Cell* cell = nullptr;
  Requirement requirement = Requirement::notice_within;
  std::optional<base::nanoseconds> took;  // empty: never, within the limit
};

/// Whether only the server has something to notice: the client was the failure.
bool is_of_server(const Cell& cell);

/// Returns what is missed, in the order of the audit's cells. `audit` must outlive it. Cells that
/// were not judged or not reached, and the baseline, miss nothing.
/// - notice_within: a client must not hang, or succeed with wrong data, without a notice in time.
///   If the client itself is gone, the server must let go in time.
/// - recover_within: where the failure ends, the right answer must come in time after that.
/// - no_repeat: the server's program must not read a request twice.
std::vector<Miss> missed(const Audit& audit, const Requirements& requirements);

}  // namespace tcplab::audit
