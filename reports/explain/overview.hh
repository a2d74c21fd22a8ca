// The overview of a capture: one line for each connection, the worst first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <set>
#include <string>
#include <vector>

#include "reports/explain/followed_capture.hh"
#include "reports/explain/ranked_connection.hh"
#include "reports/explain/scans.hh"
#include "reports/text/style.hh"

namespace tcplab::reports {

/// The connections of a capture, the worst first, and the scans among them.
class Ranking {
public:
  /// Notes the scans in the facts of their connections.
  explicit Ranking(const FollowedCapture& capture);

  const std::vector<RankedConnection>& entries() const { return entries_; }
  const Scans& scans() const { return scans_; }

private:
  std::vector<RankedConnection> entries_;
  Scans scans_;
};

/// Writes what the capture has, how many connections have which trouble, and the table.
void write_overview(std::ostream& out, const Style& style, const FollowedCapture& capture,
                    const Ranking& ranking);

/// Returns what is unusual about the capture itself, in sentences.
std::vector<std::string> notes_on(const FollowedCapture& capture);

/// Returns what the capture has, how many connections have which trouble, and the notes.
std::vector<std::string> overview_sentences(const FollowedCapture& capture, const Ranking& ranking);

/// Returns the headings of the table: "#", "client", ...
std::vector<std::string> overview_headings();

struct OverviewRow {
  /// The worst one, if the row is of a scan; null if the row says how many are left out.
  const RankedConnection* entry;
  std::vector<std::string> cells;  // one for each heading
  Trouble trouble;
};

/// Returns the rows of the table, one for each connection or scan. If they are more than 200, it
/// has at most 20 with the same trouble, all that are `chosen`, and a row that says how many others
/// have that trouble. `first_at` is the time of the first frame, in nanoseconds since 1970.
std::vector<OverviewRow> overview_rows(const Ranking& ranking, std::int64_t first_at,
                                       const std::set<const Followed*>& chosen);

}  // namespace tcplab::reports
