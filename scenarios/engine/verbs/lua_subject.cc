#include "scenarios/engine/verbs/lua_subject.hh"

#include "base/error.hh"
#include "scenarios/engine/script/script_context.hh"
#include "scenarios/engine/verbs/lua_forge.hh"
#include "scenarios/engine/verbs/lua_modules.hh"
#include "scenarios/engine/verbs/lua_objects.hh"

namespace tcplab::engine {

std::string Subject::title() const {
  if (connection) return engine::title(LuaConnection{host, *connection});
  return program != nullptr ? program->title() : host->name();
}

Subject& subject_of(LuaCall& call) { return call.self<Subject>(); }

LabProgram& program_of(const Subject& subject) {
  if (subject.program == nullptr) throw base::UsageError("expect that of a program, not of a host");
  return *subject.program;
}

int expect(LuaCall& call, const Subject& subject, const std::string& stream,
           std::unique_ptr<Pattern> pattern) {
  ScriptContext& context = context_of(call);
  const base::Instant deadline = context.laboratory().clock().now() + subject.span;
  std::unique_ptr<Suspension> suspension;
  if (subject.never) {
    suspension = std::make_unique<Never>(deadline, subject.span, std::move(pattern));
  } else {
    suspension = std::make_unique<Eventually>(deadline, subject.span, std::move(pattern));
  }
  suspension->stream = stream;
  suspension->line = call.line();
  if (subject.host != nullptr) suspension->host = subject.host->name();
  return subject.never ? context.suspend_from_now(std::move(suspension))
                       : context.suspend(std::move(suspension));
}

namespace {

Subject subject_at(LuaCall& call, int index) {
  Subject subject;
  if (const LuaProgram* program = call.find<LuaProgram>(index)) {
    subject.program = program->program;
    subject.host = context_of(call).laboratory().find_host(program->program->host());
  } else if (const auto* connection = call.find<LuaConnection>(index)) {
    subject.host = connection->host;
    subject.connection = connection->key;
  } else {
    subject.host = call.object<LuaHost>(index, "about whom").host;
  }
  return subject;
}

int subject_within(LuaCall& call) {
  subject_of(call).span = call.span(1, "how long");
  return call.push_self();
}

int lab_expect(LuaCall& call) { return push_object(call.lua, subject_at(call, 1)); }

int lab_never(LuaCall& call) {
  Subject subject = subject_at(call, 1);
  subject.span = call.span(2, "for how long");
  subject.never = true;
  return push_object(call.lua, subject);
}

}  // namespace

LuaModule subject_module() {
  return {.classes = {
              lua_class<LuaLab>(
                  {{"expect",
                    lab_expect,
                    "Waits for what the next verb says, from where the last expectation about the "
                    "same thing ended.",
                    {{"whom", "host|program|connection"}},
                    {"subject"}},
                   {"never",
                    lab_never,
                    "Expects that what the next verb says does not happen, from now on for that "
                    "long.",
                    {{"whom", "host|program|connection"}, {"seconds", "number"}},
                    {"subject"}}}),
              lua_class<Subject>({{"within",
                                   subject_within,
                                   "Sets how long the next verb waits; 5 s by default.",
                                   {{"seconds", "number"}},
                                   {"subject"}}})}};
}

}  // namespace tcplab::engine
