// Expectations about what a host's kernel says of itself, where the run listens to it.
#include "base/error.hh"
#include "capture/event/event_words.hh"
#include "scenarios/engine/script/experiment.hh"
#include "scenarios/engine/script/lua_lab.hh"
#include "scenarios/engine/script/lua_subject.hh"

namespace tcplab::engine {

using capture::KernelAction;

namespace {

KernelAction deed_argument(LuaCall& call) {
  const std::string text = call.text(1, "what the kernel does");
  if (const auto action = capture::from_word<KernelAction>(text)) return *action;
  std::string known;
  for (const std::string_view word : capture::words_of(KernelAction{}))
    known += (known.empty() ? "" : ", ") + std::string(word);
  throw base::UsageError("a kernel does not say \"" + text + "\"; it says: " + known);
}

}  // namespace

/// subject:kernel("reset", "NO_SOCKET"), subject:kernel("error", "ECONNRESET"),
/// subject:kernel "retransmit"
int subject_kernel(LuaCall& call) {
  const Subject& subject = subject_of(call);
  if (!call.experiment().laboratory().hears_kernels())
    throw base::UsageError(
        "nobody listens to the kernels; say it in the scenario: needs = { \"tracepoints\" }");
  auto pattern = std::make_unique<KernelPattern>();
  pattern->host = subject.host->name();
  pattern->what = deed_argument(call);
  if (call.has(2)) pattern->reason = call.text(2, "the reason, or the errno");
  pattern->owns = [subject](const ConnectionKey& key) {
    return subject.program == nullptr || subject.owns(key);
  };
  return expect(call, subject, subject.stream("kernel"), std::move(pattern));
}

}  // namespace tcplab::engine
