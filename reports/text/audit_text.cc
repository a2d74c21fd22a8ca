#include "reports/text/audit_text.hh"

#include "reports/text/text.hh"

namespace tcplab::reports {

using capture::AuditNote;
using capture::AuditOutcome;
using capture::AuditReaction;
using capture::AuditStep;

namespace {

std::string beginning(const AuditNote& note) {
  const std::string limit = "; limit " + base::describe(note.limit);
  if (note.failure.empty()) return "audit: the baseline, without a failure" + limit;
  const std::string& failure = note.failure_title.empty() ? note.failure : note.failure_title;
  const std::string& moment = note.moment_title.empty() ? note.moment : note.moment_title;
  const std::string side = note.side.empty() ? "" : note.side + ": ";
  return printable("audit: " + side + failure + ", at the moment: " + moment) + limit;
}

}  // namespace

std::string_view outcome_text(AuditOutcome outcome) {
  switch (outcome) {
    case AuditOutcome::unaffected:
      return "unaffected";
    case AuditOutcome::recovered:
      return "recovered";
    case AuditOutcome::error:
      return "error";
    case AuditOutcome::wrong_data:
      return "wrong data";
    case AuditOutcome::hangs:
      return "hangs";
    case AuditOutcome::not_reached:
      return "not reached";
  }
  return "";
}

std::string reaction_text(AuditReaction reaction) {
  switch (reaction) {
    case AuditReaction::printed:
      return "the client reacted: it wrote to standard output";
    case AuditReaction::printed_error:
      return "the client reacted: it wrote to standard error";
    case AuditReaction::sent:
      return "the client reacted: it sent data";
    case AuditReaction::none:
      return "the client did not react";
    case AuditReaction::command_failed:
      return "the command of --after failed";
    case AuditReaction::client_ended:
      return "the client ended before the command of --after";
    case AuditReaction::always_active:
      return "what the client did after the command, it did before, too";
  }
  return "";
}

std::string audit_line(const AuditNote& note) {
  switch (note.step) {
    case AuditStep::begins:
      return beginning(note);
    case AuditStep::starting:
      return "audit: the server does not listen yet; it has written: " + printable(note.text);
    case AuditStep::moment:
      return "audit: the moment has come";
    case AuditStep::failure:
      return "audit: the failure begins";
    case AuditStep::failure_ends:
      return "audit: the failure is over";
    case AuditStep::after:
      return "audit: the command of --after starts";
    case AuditStep::judged:
      break;
  }
  const std::string text = note.text.empty() ? "" : ": " + printable(note.text);
  return "audit: judged: " + std::string(outcome_text(note.outcome)) + text +
         (note.reaction ? "; " + reaction_text(*note.reaction) : "");
}

}  // namespace tcplab::reports
