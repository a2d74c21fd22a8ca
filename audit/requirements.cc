#include "audit/requirements.hh"

namespace tcplab::audit {

using base::nanoseconds;
using capture::AuditOutcome;

bool did_not_react(const Cell& cell) {
  return cell.reaction == capture::AuditReaction::none && cell.outcome != AuditOutcome::hangs;
}

bool is_served(const Cell& cell) {
  const bool is_right =
      cell.outcome == AuditOutcome::unaffected || cell.outcome == AuditOutcome::recovered;
  return is_right && !did_not_react(cell);
}

bool is_of_server(const Cell& cell) { return cell.is_client_gone && cell.had_server_connection; }

namespace {

bool is_asked(const Cell& cell) {
  return !cell.failure.empty() && cell.is_judged && cell.trouble.empty() &&
         cell.outcome != AuditOutcome::not_reached;
}

void check_notice(const Cell& cell, nanoseconds within, std::vector<Miss>& misses) {
  if (!is_of_server(cell) && is_served(cell) && !cell.noticed) return;
  std::optional<nanoseconds> took = is_of_server(cell) ? cell.server_let_go : std::nullopt;
  if (!is_of_server(cell) && cell.noticed) took = cell.noticed->after;
  if (!is_of_server(cell) && !cell.noticed && cell.outcome == AuditOutcome::error) took = cell.took;
  if (!took || *took > within) misses.push_back({&cell, Requirement::notice_within, took});
}

void check_recovery(const Cell& cell, nanoseconds within, std::vector<Miss>& misses) {
  if (!cell.has_failure_ended || is_of_server(cell)) return;
  if (is_served(cell) && cell.took_after && *cell.took_after <= within) return;
  const auto took = is_served(cell) ? cell.took_after : std::nullopt;
  misses.push_back({&cell, Requirement::recover_within, took});
}

}  // namespace

std::vector<Miss> missed(const Audit& audit, const Requirements& requirements) {
  std::vector<Miss> misses;
  for (const Cell& cell : audit.cells) {
    if (!is_asked(cell)) continue;
    if (requirements.notice_within) check_notice(cell, *requirements.notice_within, misses);
    if (requirements.recover_within) check_recovery(cell, *requirements.recover_within, misses);
    if (requirements.no_repeat && cell.received_again > 0)
      misses.push_back({&cell, Requirement::no_repeat, std::nullopt});
  }
  return misses;
}

}  // namespace tcplab::audit
