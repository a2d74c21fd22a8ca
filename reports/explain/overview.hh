// The overview of a capture: one line for each connection, the worst first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "reports/explain/followed_capture.hh"
#include "reports/explain/ranked_connection.hh"
#include "reports/text/style.hh"

namespace tcplab::reports {

/// Returns the connections of the capture, the worst first.
std::vector<RankedConnection> entries_of(const FollowedCapture& capture);

/// Writes what the capture has, how many connections have which trouble, and the table.
void write_overview(std::ostream& out, const Style& style, const FollowedCapture& capture,
                    const std::vector<RankedConnection>& entries);

/// Returns what is unusual about the capture itself, in sentences.
std::vector<std::string> notes_on(const FollowedCapture& capture);

/// Returns what the capture has, how many connections have which trouble, and the notes.
std::vector<std::string> overview_sentences(const FollowedCapture& capture,
                                            const std::vector<RankedConnection>& entries);

/// Returns the headings of the table: "#", "client", ...
std::vector<std::string> overview_headings();

struct OverviewRow {
  const RankedConnection* entry;   // the worst one, if the row is of a scan
  std::vector<std::string> cells;  // one for each heading
};

/// Returns the rows of the table, one for each connection or scan. `first_at` is the time of the
/// first frame, in nanoseconds since 1970.
std::vector<OverviewRow> overview_rows(const std::vector<RankedConnection>& entries,
                                       std::int64_t first_at);

}  // namespace tcplab::reports
