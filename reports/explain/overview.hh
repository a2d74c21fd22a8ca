// The overview of a capture: one line for each connection, the worst first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "reports/explain/followed_capture.hh"
#include "reports/explain/roles.hh"
#include "reports/explain/summary.hh"
#include "reports/text/style.hh"

namespace tcplab::reports {

/// A connection with what a reader needs to know about it.
struct RankedConnection {
  const Followed* followed;
  capture::ConversationFacts facts;  // with its surroundings
  Roles roles;
  Summary summary;
};

/// Returns the connections of the capture, the worst first.
std::vector<RankedConnection> entries_of(const FollowedCapture& capture);

/// Writes what the capture has, how many connections have which trouble, and the table.
void write_overview(std::ostream& out, const Style& style, const FollowedCapture& capture,
                    const std::vector<RankedConnection>& entries);

/// Returns what is unusual about the capture itself, in sentences.
std::vector<std::string> notes_on(const CaptureTotals& totals);

/// Returns what the capture has, how many connections have which trouble, and the notes.
std::vector<std::string> overview_sentences(const FollowedCapture& capture,
                                            const std::vector<RankedConnection>& entries);

/// Returns the headings of the table: "#", "client", ...
std::vector<std::string> overview_headings();

/// Returns a cell for each heading. `first_at` is the time of the first frame, in nanoseconds since
/// 1970.
std::vector<std::string> overview_cells(const RankedConnection& entry, std::int64_t first_at);

}  // namespace tcplab::reports
