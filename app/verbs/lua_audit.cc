// lab:audit: the marks that a cell of an audit leaves on the timeline.
#include <array>
#include <optional>
#include <string_view>

#include "app/script/lua_objects.hh"
#include "app/script/script_context.hh"
#include "app/verbs/lua_modules.hh"
#include "base/error.hh"
#include "capture/event/event_words.hh"

namespace tcplab::app {

using capture::AuditNote;
using capture::AuditOutcome;
using capture::AuditReaction;
using capture::AuditStep;

namespace {

constexpr std::array kSteps = {AuditStep::begins,  AuditStep::starting,     AuditStep::moment,
                               AuditStep::failure, AuditStep::failure_ends, AuditStep::after,
                               AuditStep::judged};
constexpr std::array kOutcomes = {AuditOutcome::unaffected, AuditOutcome::recovered,
                                  AuditOutcome::error,      AuditOutcome::wrong_data,
                                  AuditOutcome::hangs,      AuditOutcome::not_reached};

constexpr std::array kReactions = {AuditReaction::printed,        AuditReaction::printed_error,
                                   AuditReaction::sent,           AuditReaction::none,
                                   AuditReaction::command_failed, AuditReaction::client_ended,
                                   AuditReaction::always_active};

template <typename Values>
std::vector<std::string> words_of_all(const Values& values) {
  std::vector<std::string> words;
  words.reserve(values.size());
  for (const auto value : values) words.emplace_back(capture::word(value));
  return words;
}

template <typename Values>
auto value_of(const Values& values, const std::string& word) {
  for (const auto value : values)
    if (capture::word(value) == word) return value;
  return values.front();
}

const LuaTable& audit_note() {
  static const LuaTable kNote = {
      "audit_note",
      "A mark of an audit on the timeline.",
      {{"step", "audit_step"},
       {"failure?", "string", "its name; absent in the baseline"},
       {"failure_title?", "string"},
       {"moment?", "string"},
       {"moment_title?", "string"},
       {"side?", "string", "where it fails: client, server or path"},
       {"lasts?", "number", "seconds after which the failure ends", kSpanRange},
       {"limit?", "number", "seconds that the client may take", kSpanRange},
       {"client?", "string", "the host that the request comes from"},
       {"server?", "string", "the host that answers"},
       {"program?", "string", "the client's program"},
       {"outcome?", "audit_outcome"},
       {"text?", "string", "what the user saw"},
       {"reaction?", "audit_reaction", "to the command of --after"}}};
  return kNote;
}

int lab_audit(LuaCall& call) {
  call.allow_options(1, audit_note());
  const auto text = [&](const char* field) { return call.option_text(1, field).value_or(""); };
  const auto step = call.option_word(1, "step", words_of_all(kSteps));
  if (!step) throw base::UsageError("option `step` is missing: lab:audit { step = \"begins\" }");
  const double limit = call.option_number(1, "limit").value_or(0);
  const auto outcome = call.option_word(1, "outcome", words_of_all(kOutcomes));
  const auto reaction = call.option_word(1, "reaction", words_of_all(kReactions));
  lab::Laboratory& laboratory = context_of(call).laboratory();
  laboratory.timeline().append(
      laboratory.clock().now(),
      AuditNote{
          .step = value_of(kSteps, *step),
          .failure = text("failure"),
          .failure_title = text("failure_title"),
          .moment = text("moment"),
          .moment_title = text("moment_title"),
          .side = text("side"),
          .lasts = base::from_seconds(call.option_number(1, "lasts").value_or(0)),
          .limit = base::from_seconds(limit),
          .client = text("client"),
          .server = text("server"),
          .program = text("program"),
          .outcome = value_of(kOutcomes, outcome.value_or("unaffected")),
          .text = text("text"),
          .reaction = reaction ? std::optional(value_of(kReactions, *reaction)) : std::nullopt});
  return call.push_nothing();
}

}  // namespace

LuaModule audit_module() {
  return {.classes = {lua_class<LuaLab>({{"audit",
                                          lab_audit,
                                          "Marks a step of an audit on the timeline.",
                                          {{"note", "audit_note"}}}})},
          .tables = {&audit_note()},
          .words = {{.name = "audit_step", .words = words_of_all(kSteps)},
                    {.name = "audit_outcome", .words = words_of_all(kOutcomes)},
                    {.name = "audit_reaction", .words = words_of_all(kReactions)}}};
}

}  // namespace tcplab::app
