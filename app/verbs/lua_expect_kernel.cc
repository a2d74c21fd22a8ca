// Expectations about kernel events, in a run that records them.
#include "app/script/lua_objects.hh"
#include "app/script/script_context.hh"
#include "app/verbs/at_deadline.hh"
#include "app/verbs/lua_modules.hh"
#include "app/verbs/lua_subject.hh"
#include "base/error.hh"
#include "capture/event/event_words.hh"

namespace tcplab::app {

using capture::KernelAction;

namespace {

KernelAction action_argument(LuaCall& call) {
  const std::string text = call.text(1, "what the kernel does");
  if (const auto action = capture::from_word<KernelAction>(text)) return *action;
  std::string known;
  for (const std::string_view word : capture::words_of(KernelAction{}))
    known += (known.empty() ? "" : ", ") + std::string(word);
  throw base::UsageError("there is no kernel event \"" + text + "\"; there is " + known);
}

int subject_kernel(LuaCall& call) {
  const Subject subject = subject_of(call);
  if (!context_of(call).laboratory().kernels().is_on())
    throw base::UsageError(
        "this run does not record kernel events; add to the scenario: needs = { \"tracepoints\" }");
  auto pattern = std::make_unique<KernelPattern>();
  pattern->host = subject.host->name();
  pattern->what = action_argument(call);
  if (call.has(2)) pattern->reason = call.text(2, "the reason, or the errno");
  pattern->owns = [subject](const lab::ConnectionKey& key) {
    return (subject.program == nullptr && !subject.connection) || subject.owns(key);
  };
  lab::Timeline& timeline = context_of(call).laboratory().timeline();
  return expect(call, subject,
                [subject, &timeline, shared = std::shared_ptr<Pattern>(std::move(pattern))](
                    base::Instant deadline, base::nanoseconds span) {
                  auto wait = std::make_unique<Eventually>(deadline, span, shared);
                  wait->stream = subject.stream("kernel");
                  wait->instead = [&timeline, host = subject.host->name()] {
                    return kernel_at_deadline(timeline, host);
                  };
                  return wait;
                });
}

LuaWords kernel_events() {
  LuaWords events{.name = "kernel_event", .words = {}};
  for (const std::string_view word : capture::words_of(KernelAction{}))
    events.words.emplace_back(word);
  return events;
}

}  // namespace

LuaModule kernel_module() {
  return {.classes = expectation_classes<LuaProgram, LuaHost, LuaConnection>(
              {{"kernel",
                subject_kernel,
                "Is met by an event from its host's kernel; needs = { \"tracepoints\" }.",
                {{"what", "kernel_event"},
                 {"reason?", "string",
                  "the kernel's word, \"TCP_RFC7323_PAWS\"; for an error, the errno"}},
                {"event"}}}),
          .words = {kernel_events()}};
}

}  // namespace tcplab::app
