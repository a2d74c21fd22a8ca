#include "app/verbs/lua_subject.hh"

#include "app/script/script_context.hh"
#include "app/script/since.hh"
#include "app/verbs/at_deadline.hh"
#include "app/verbs/lua_forge.hh"
#include "app/verbs/lua_modules.hh"
#include "base/error.hh"

namespace tcplab::app {

namespace {

std::string name_of(const lab::ConnectionKey& connection) {
  return connection.local.to_string() + " > " + connection.remote.to_string();
}

}  // namespace

std::string Subject::title() const {
  if (connection && program == nullptr) return app::title(LuaConnection{host, *connection});
  if (connection) return program->title() + " on " + name_of(*connection);
  return program != nullptr ? program->title() : host->name();
}

std::string Subject::stream(const std::string& kind) const {
  std::string text = kind + " " + host->name();
  if (program != nullptr) text += "/" + program->name();
  if (connection)
    text += " " + connection->local.to_string() + " " + connection->remote.to_string();
  return text;
}

bool Subject::owns(const lab::ConnectionKey& key) const {
  if (connection) return key == *connection;
  return program == nullptr ? key.remote.port != 0 : program->sockets().owns(key);
}

namespace {

/// Returns whom the argument names, if it can be a subject.
std::optional<Subject> find_subject(LuaCall& call, int index) {
  if (const auto* program = call.find<LuaProgram>(index))
    return Subject{.host = context_of(call).laboratory().hosts().find(program->program->host()),
                   .program = program->program};
  if (const auto* host = call.find<LuaHost>(index)) return Subject{.host = host->host};
  if (const auto* connection = call.find<LuaConnection>(index))
    return Subject{.host = connection->host, .connection = connection->key};
  return std::nullopt;
}

Subject subject_at(LuaCall& call, int index) {
  if (auto subject = find_subject(call, index)) return *subject;
  call.object<LuaHost>(index, "about whom");  // throws: it is none
  return {};
}

/// Pushes a subject, which is unfinished until a verb is called on it.
int push_subject(LuaCall& call, Subject subject, const std::string& verb) {
  subject.unfinished = context_of(call).unfinished().add(
      call.line(), "lab:" + verb + " says nothing about " + subject.title() +
                       "; add a verb, for example lab:" + verb + "(...):in_state \"CLOSED\"");
  return push_object(call.lua, subject);
}

std::unique_ptr<Suspension> judged(LuaCall& call, const Subject& subject,
                                   std::unique_ptr<Suspension> suspension) {
  suspension->line = call.line();
  if (subject.host != nullptr) suspension->host = subject.host->name();
  return suspension;
}

int await(LuaCall& call, std::unique_ptr<Suspension> suspension) {
  ScriptContext& context = context_of(call);
  return context.await(std::move(suspension),
                       [&context](lua_State* lua, const Suspension& decided, bool met) {
                         if (met)
                           push_event_or_time(context, lua, decided);
                         else
                           lua_pushnil(lua);
                         return 1;
                       });
}

int push_condition(LuaCall& call, const Subject& subject, SuspensionMaker make) {
  const std::string example = subject.program != nullptr ? "lab:expect(client):exits()"
                              : subject.host != nullptr  ? "lab:expect(kodos):in_state \"CLOSED\""
                                                         : "lab:expect_packet(...)";
  LuaCondition condition{.make = std::move(make)};
  condition.unfinished = context_of(call).unfinished().add(
      call.line(),
      "nothing awaits this condition; write " + example + ", or give it to lab:first or lab:when");
  return push_object(call.lua, std::move(condition));
}

}  // namespace

void push_event_or_time(ScriptContext& context, lua_State* lua, const Suspension& suspension) {
  if (suspension.decisive() != nullptr) return context.push_decisive(lua, suspension);
  const auto since = context.laboratory().clock().now() - context.laboratory().started();
  lua_newtable(lua);
  lua_pushnumber(lua, base::in_seconds(since));
  lua_setfield(lua, -2, "t");
}

Subject subject_of(LuaCall& call) {
  if (const auto* subject = call.find<Subject>(0)) {
    context_of(call).unfinished().finish(subject->unfinished);
    return *subject;
  }
  if (auto subject = find_subject(call, 0)) {
    subject->mode = WaitMode::condition;
    return *subject;
  }
  return call.self<Subject>();  // throws: it is none
}

lab::LabProgram& program_of(const Subject& subject) {
  if (subject.program == nullptr)
    throw base::UsageError("expect that of a program, not of a " +
                           std::string(subject.connection ? "connection" : "host"));
  return *subject.program;
}

lab::LabProgram& whole_program_of(const Subject& subject, const std::string& verb) {
  if (subject.program != nullptr && subject.connection)
    throw base::UsageError(verb +
                           " is about the program, not about one of its connections; write " +
                           "it without :on(...)");
  return program_of(subject);
}

OnConnection calls_of(const Subject& subject) {
  if (subject.program == nullptr || !subject.connection) return {};
  const lab::DescriptorHistory& descriptors = subject.program->calls().descriptors();
  return {
      .name = name_of(*subject.connection),
      .has = [key = *subject.connection, &descriptors](const capture::Event& call, int descriptor) {
        return lab::is_on(key, call, descriptor, descriptors);
      }};
}

void require_expect(const Subject& subject, const std::string& verb) {
  if (subject.mode != WaitMode::expect)
    throw base::UsageError(verb +
                           " is about the present, so it cannot be awaited; write lab:expect(" +
                           std::string("...):") + verb);
}

bool is_checked(LuaCall& call, const Subject& subject, const std::string& expected) {
  ScriptContext& context = context_of(call);
  if (context.verdicts().has_kernel(subject.since)) return true;
  context.verdicts().leave_unchecked(
      subject.since, expected, subject.host != nullptr ? subject.host->name() : "", call.line());
  return false;
}

namespace {

/// Waits for what is expected, if it holds on the hosts' kernel.
int check(LuaCall& call, const Subject& subject, std::unique_ptr<Suspension> suspension) {
  if (!is_checked(call, subject, suspension->expected())) return 0;
  return context_of(call).suspend(judged(call, subject, std::move(suspension)));
}

}  // namespace

int expect(LuaCall& call, const Subject& subject, SuspensionMaker make) {
  ScriptContext& context = context_of(call);
  const base::nanoseconds span = subject.span;
  const base::Instant deadline = context.laboratory().clock().now() + span;
  switch (subject.mode) {
    case WaitMode::expect:
      return check(call, subject, make(deadline, span));
    case WaitMode::never:
      return check(call, subject, std::make_unique<Never>(deadline, span, make(deadline, span)));
    case WaitMode::await:
      return await(call, make(deadline, span));
    case WaitMode::condition:
      return push_condition(call, subject, std::move(make));
  }
  return call.push_nothing();
}

int expect(LuaCall& call, const Subject& subject, const std::string& stream,
           std::shared_ptr<Pattern> shared) {
  return expect(
      call, subject,
      [shared = std::move(shared), stream](base::Instant deadline, base::nanoseconds span) {
        auto wait = std::make_unique<Eventually>(deadline, span, shared);
        wait->stream = stream;
        return wait;
      });
}

int expect_of_program(LuaCall& call, const Subject& subject, const std::string& stream,
                      std::unique_ptr<Pattern> pattern) {
  const std::shared_ptr<Pattern> shared = std::move(pattern);
  return expect(call, subject,
                [shared, stream, &program = program_of(subject), &host = *subject.host,
                 &clock = context_of(call).laboratory().clock()](base::Instant deadline,
                                                                 base::nanoseconds span) {
                  auto wait = std::make_unique<Eventually>(deadline, span, shared);
                  wait->stream = stream;
                  wait->ruled_out = [&program] { return obstacle(program); };
                  wait->instead = [&] { return program_at_deadline(program, host, clock.now()); };
                  return wait;
                });
}

std::string obstacle(const lab::LabProgram& program) {
  return program.is_silent() ? program.title() + " " + program.ending() : "";
}

namespace {

int subject_within(LuaCall& call) {
  call.self<Subject>().span = call.span(1, "how long");
  return call.push_self();
}

int subject_since(LuaCall& call) {
  Subject& subject = call.self<Subject>();
  if (subject.mode == WaitMode::await)
    throw base::UsageError(
        "lab:await judges nothing, so it needs no `since`; ask lab:since before it");
  subject.since = call.text(1, "the version");
  kernel_version(subject.since);
  return call.push_self();
}

/// lab:expect(program):on(connection)
int subject_on(LuaCall& call) {
  Subject subject = subject_of(call);
  if (subject.program == nullptr)
    throw base::UsageError("calls are made by a program: lab:expect(program):on(connection)");
  const auto& connection = call.object<LuaConnection>(1, "the connection");
  if (connection.host != subject.host)
    throw base::UsageError("that is a connection of " + connection.host->name() + ", and " +
                           subject.program->title() + " runs on " + subject.host->name());
  subject.connection = connection.key;
  return push_subject(call, subject, "expect");
}

int lab_expect(LuaCall& call) { return push_subject(call, subject_at(call, 1), "expect"); }

int lab_never(LuaCall& call) {
  Subject subject = subject_at(call, 1);
  subject.span = call.span(2, "for how long");
  subject.mode = WaitMode::never;
  return push_subject(call, subject, "never");
}

int lab_await(LuaCall& call) {
  Subject subject = subject_at(call, 1);
  if (call.has(2)) subject.span = call.span(2, "how long");
  subject.mode = WaitMode::await;
  return push_subject(call, subject, "await");
}

}  // namespace

namespace {

LuaVerb on_verb() {
  return {"on",
          subject_on,
          "Limits the next verb to the calls on one connection.",
          {{"connection", "connection"}},
          {"subject"}};
}

}  // namespace

LuaModule subject_module() {
  return {.classes = {
              lua_class<LuaLab>(
                  {{"expect",
                    lab_expect,
                    "Waits for the event that the next verb names. Begins where the last "
                    "expectation about the same subject ended.",
                    {{"whom", "host|program|connection"}},
                    {"subject"}},
                   {"never",
                    lab_never,
                    "Expects that the event that the next verb names does not happen in the next "
                    "`seconds`.",
                    {{"whom", "host|program|connection"}, {"seconds", "number", "", kSpanRange}},
                    {"subject"}},
                   {"await",
                    lab_await,
                    "Waits for the event that the next verb names. The verb returns nil if it does "
                    "not come.",
                    {{"whom", "host|program|connection"},
                     {"seconds?", "number", "5 by default", kSpanRange}},
                    {"subject"}}}),
              lua_class<LuaProgram>({on_verb()}),
              lua_class<Subject>({on_verb(),
                                  {"within",
                                   subject_within,
                                   "Sets how long the next verb waits; 5 s by default.",
                                   {{"seconds", "number", "", kSpanRange}},
                                   {"subject"}},
                                  {"since",
                                   subject_since,
                                   "Leaves the next verb unchecked if the hosts' kernel is older.",
                                   {{"version", "kernel_version", "of Linux: \"6.5\""}},
                                   {"subject"}}})}};
}

}  // namespace tcplab::app
