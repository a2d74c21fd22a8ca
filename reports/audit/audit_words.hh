// The words of an audit's table: what happened, by what the client noticed, why, and what to
// change. Every view takes its words from here.
#pragma once

#include <string>
#include <vector>

#include "audit/audit.hh"

namespace tcplab::reports {

/// Returns "power off, server": what fails, and where.
std::string failure_label(const audit::Cell& cell);
/// Returns "error"; "let go" or "kept" if the client is gone, because then the server is asked.
std::string_view outcome_word(const audit::Cell& cell);
/// Returns "connection reset: error after 60 s", as it goes into a matrix: outcome and time.
std::string outcome_label(const audit::Cell& cell);
/// Returns one sign for the outcome: it makes a cell legible without colour.
std::string_view outcome_mark(const audit::Cell& cell);

/// Returns "recvfrom failed with ECONNRESET"; "" if the client noticed nothing.
std::string noticed_words(const audit::Noticed& noticed);
/// Returns why the client noticed then, or what it waits for; "" if there was no failure, or
/// nothing to notice.
std::string reason_words(const audit::Cell& cell);
/// Returns one sentence for each advice, with the client's own spelling if it is known.
std::vector<std::string> advice_words(const audit::Cell& cell);
/// Returns what was repeated: "opened 2 more connections; sent 1 request again"; "" if nothing was.
std::string repeat_words(const audit::Cell& cell);
/// Returns whether the client reacted to the command of --after; "" if there was none.
std::string reaction_words(const audit::Cell& cell);
/// Returns when the server let go of the client's connection; "" if that was not asked.
std::string server_words(const audit::Cell& cell);
/// Returns "keepalive 60/60/9 set by the program": idle time, interval and count.
std::string keepalive_words(const audit::SocketOptions& options, bool has_stock_timers);

}  // namespace tcplab::reports
