// What an audit learns from a run without a failure, and which mistakes it finds there.
#include "app/audit/baseline.hh"

#include <cerrno>
#include <chrono>

#include "app/audit/baseline_problem.hh"
#include "tests/catch.hh"

using namespace tcplab;
using namespace tcplab::app;
using namespace std::chrono_literals;
using capture::ProgramChange;
using Catch::Matchers::Contains;

namespace {

/// The events of a baseline, in the order in which they are said.
class Story {
public:
  Story& program(const std::string& name, ProgramChange change, int code = 0,
                 const std::string& text = "") {
    return add(capture::Program{.host = name,
                                .program = name,
                                .change = change,
                                .code = code,
                                .stream = "stdout",
                                .text = text});
  }
  Story& wrote(const std::string& name, const std::string& text) {
    return program(name, ProgramChange::wrote, 0, text);
  }
  Story& connected(std::uint16_t port) {
    return add(capture::State{.host = "client",
                              .local = *base::Endpoint::parse("10.0.0.1:40000"),
                              .remote = {base::Endpoint::parse("10.0.0.2:1")->address, port},
                              .to = capture::TcpState::established});
  }
  Story& listens(std::uint16_t port) {
    return add(capture::State{.host = "server",
                              .local = {base::Endpoint::parse("0.0.0.0:1")->address, port},
                              .to = capture::TcpState::listen});
  }
  Story& closes(std::uint16_t port) {
    return add(capture::State{.host = "server",
                              .local = {base::Endpoint::parse("0.0.0.0:1")->address, port},
                              .from = capture::TcpState::listen,
                              .to = capture::TcpState::closed});
  }
  Story& judged(std::optional<capture::AuditReaction> reaction = {}) {
    return add(capture::AuditNote{.step = capture::AuditStep::judged, .reaction = reaction});
  }
  Story& command() { return add(capture::AuditNote{.step = capture::AuditStep::after}); }
  /// A data segment of the client (">") or the server ("<"), each after a time.
  Story& data(char direction, base::nanoseconds after = 1ms) {
    now_ += after;
    const bool to_server = direction == '>';
    return add(capture::Packet{.from = to_server ? "client" : "server",
                               .to = to_server ? "server" : "client",
                               .sent = now_,
                               .protocol = "TCP",
                               .length = 10});
  }
  Story& acknowledgment() {
    return add(capture::Packet{.from = "server", .to = "client", .sent = now_, .protocol = "TCP"});
  }
  Story& read(const std::string& program) {
    return add(capture::Call{.host = "server",
                             .program = program,
                             .phase = capture::CallPhase::leave,
                             .call = "recvfrom",
                             .result = 10});
  }
  Story& after(base::nanoseconds span) {
    now_ += span;
    return *this;
  }
  template <typename Body>
  Story& add(Body body) {
    events_.push_back({.number = events_.size() + 1, .at = now_, .body = std::move(body)});
    return *this;
  }
  std::string problem(std::uint16_t port = 6379) const { return problem_of(events_, port); }
  Baseline measured() const { return measure(events_); }

private:
  std::vector<capture::Event> events_;
  base::Instant now_ = base::Instant(1s);
};

Story both_run() {
  Story story;
  story.program("server", ProgramChange::started).listens(6379);
  return story.program("client", ProgramChange::started);
}

}  // namespace

TEST_CASE("the right answer is what the client writes, with its status and its time") {
  const Baseline found = both_run()
                             .connected(6379)
                             .data('>')
                             .data('<')
                             .wrote("client", "PO")
                             .wrote("client", "NG\n")
                             .after(20ms)
                             .program("client", ProgramChange::exited)
                             .measured();
  CHECK(found.ends);
  CHECK(found.answer == "PONG\n");
  CHECK(found.duration == 22ms);
  CHECK(found.connection_duration == 21ms);
  CHECK(parameters_of(found).at("baseline") == "ends");
}

TEST_CASE("the request is the segment after which the client waits longest") {
  const Baseline found =
      both_run().data('>').data('<').data('>').data('<', 300ms).data('>').measured();
  CHECK(found.has_request);
  CHECK(found.request == 3);
  CHECK(found.request_bytes == 29);  // of three segments, but for an eighth of the last
  const Baseline ended = both_run()
                             .data('>')
                             .data('<')
                             .data('>')
                             .data('<', 300ms)
                             .data('>')
                             .program("client", ProgramChange::exited)
                             .measured();
  CHECK(ended.request == 2);
  CHECK_FALSE(both_run().data('<').measured().has_request);
}

TEST_CASE("a first answer does not end the wait for the second one") {
  const Baseline found = both_run()
                             .data('>')
                             .data('<', 30ms)
                             .data('>')
                             .data('<')
                             .data('<', 2s)
                             .program("client", ProgramChange::exited)
                             .measured();
  CHECK(found.request == 2);
}

TEST_CASE("a transfer has a middle if it is long enough") {
  const Baseline found =
      both_run().data('>').data('<').data('>').data('<').data('<').data('<').data('<').measured();
  CHECK(found.transfer_bytes == 30);  // 10 bytes before, and half of 40
  CHECK(found.transfer_to_client);
  const Baseline upload = both_run().data('>').data('>').data('>').data('>').data('<').measured();
  CHECK(upload.transfer_bytes == 20);
  CHECK_FALSE(upload.transfer_to_client);
  CHECK(both_run().data('>').data('<').data('<').measured().transfer_bytes == 0);
}

TEST_CASE("the client is idle in the longest pause between an answer and its next request") {
  const Baseline found = both_run()
                             .data('>')
                             .data('<')
                             .data('>', 250ms)
                             .data('<')
                             .data('<')
                             .data('>', 900ms)
                             .measured();
  CHECK(found.idle_bytes == 29);
  CHECK(both_run().data('>').data('<').data('>', 100ms).measured().idle_bytes == 0);
  CHECK_THAT(obstacle_to("idle", both_run().data('>').measured()), Contains("no second request"));
  CHECK(obstacle_to("waiting", both_run().data('>').measured()).empty());
}

TEST_CASE("a server that does not serve is one clear line") {
  Story ended;
  ended.program("server", ProgramChange::started).wrote("server", "one\ncannot open x\n");
  ended.program("server", ProgramChange::exited, 127);
  CHECK(ended.problem() ==
        "the server exited with status 127 before it listened on port 6379: cannot open x");
  Story elsewhere;
  elsewhere.program("server", ProgramChange::started).listens(6380);
  CHECK_THAT(elsewhere.problem(),
             Contains("not listen on port 6379, but on 0.0.0.0:6380") && Contains("--port 6380"));
  Story silent;
  CHECK_THAT(silent.program("server", ProgramChange::started).problem(),
             Contains("does not listen on port 6379, nor on another"));
  Story in_use;
  in_use.program("server", ProgramChange::started)
      .add(capture::Call{.host = "server",
                         .program = "second",
                         .call = "bind",
                         .arguments = "0.0.0.0:6379",
                         .result = -1,
                         .error = EADDRINUSE});
  CHECK_THAT(in_use.problem(), Contains("bind(0.0.0.0:6379) fails with EADDRINUSE"));
}

TEST_CASE("a server that ends after it has listened is not blamed on the client") {
  const std::string problem =
      "the server exited with status 1 after it had listened on port 6379: no";
  const auto ended = [](Story story, int status) {
    return story.wrote("server", "no\n")
        .closes(6379)
        .program("server", ProgramChange::exited, status);
  };
  Story early;
  early.program("server", ProgramChange::started).listens(6379);
  CHECK(ended(early, 1).problem() == problem);
  CHECK(ended(both_run(), 1).problem() == problem);
  CHECK(ended(both_run(), 1).program("client", ProgramChange::exited, 1).problem() == problem);
  CHECK(ended(both_run().connected(6379), 1).problem() == problem);
  CHECK_THAT(ended(both_run(), 0).problem(),
             Contains("exited with status 0 after it had listened"));
  CHECK_THAT(ended(both_run().connected(6379), 0).problem(), Contains("after it had listened"));
}

TEST_CASE("a server may end when it has served its client, or leave a daemon") {
  const auto client_ends = [](Story& story, int status) {
    return story.program("client", ProgramChange::exited, status).problem();
  };
  Story once = both_run().connected(6379).closes(6379).program("server", ProgramChange::exited);
  CHECK(client_ends(once, 0).empty());
  CHECK_THAT(client_ends(once = both_run().connected(6379).closes(6379).program(
                             "server", ProgramChange::exited),
                         1),
             Contains("the client fails even without a failure"));
  Story daemon = both_run().program("server", ProgramChange::exited).connected(6379);
  CHECK(daemon.problem().empty());
  Story after = both_run().connected(6379).judged();
  CHECK(after.program("server", ProgramChange::killed, 9).problem().empty());
}

TEST_CASE("a client that does not ask the server is one clear line") {
  CHECK_THAT(both_run().program("client", ProgramChange::exited).problem(),
             Contains("the client succeeds without connecting to port 6379 of the server"));
  CHECK_THAT(both_run()
                 .add(capture::Call{.host = "client",
                                    .program = "client",
                                    .call = "connect",
                                    .remote = base::Endpoint::parse("127.0.0.1:6379")})
                 .program("client", ProgramChange::exited, 1)
                 .problem(),
             Contains("exited with status 1 before it connected to port 6379"));
  CHECK_THAT(both_run()
                 .add(capture::Call{.host = "client",
                                    .program = "client",
                                    .call = "connect",
                                    .remote = base::Endpoint::parse("127.0.0.1:6379")})
                 .problem(),
             Contains("tried 127.0.0.1:6379; does it ignore SERVER?"));
  CHECK_THAT(both_run()
                 .connected(6379)
                 .wrote("client", "ERR unknown command\n")
                 .program("client", ProgramChange::exited, 1)
                 .problem(),
             Contains("fails even without a failure") && Contains("ERR unknown command"));
  CHECK(both_run().connected(6379).program("client", ProgramChange::exited).problem().empty());
  CHECK(both_run().connected(6379).problem().empty());
  CHECK(both_run().connected(7000).problem(0).empty());
}

TEST_CASE("a server on the loopback address is reported as such") {
  const auto refused = [](const char* listener) {
    return Story()
        .program("server", ProgramChange::started)
        .add(capture::State{.host = "server",
                            .local = *base::Endpoint::parse(listener),
                            .to = capture::TcpState::listen})
        .program("client", ProgramChange::started)
        .program("client", ProgramChange::exited, 1)
        .problem(1883);
  };
  CHECK_THAT(refused("127.0.0.1:1883"), Contains("listens on 127.0.0.1:1883 only"));
  CHECK_THAT(refused("[::1]:1883"), Contains("let it listen on all addresses"));
  CHECK_THAT(refused("10.0.0.2:1883"), !Contains("only"));
}

TEST_CASE("a server may be seen to read its request before it answers") {
  CHECK(Story().data('>').after(1ms).read("server").data('<').measured().is_read_first);
  CHECK(Story().data('>').after(1ms).read("server").measured().is_read_first);
  CHECK_FALSE(Story().data('>').data('<').after(1ms).read("server").measured().is_read_first);
  CHECK_FALSE(Story().data('>').after(1ms).read("other").data('<').measured().is_read_first);
  CHECK_FALSE(Story().after(1ms).read("server").data('>').data('<').measured().is_read_first);
  CHECK(parameters_of(Story().data('>').after(1ms).read("server").measured()).at("read_first") ==
        "yes");
}

TEST_CASE("a request may be acknowledged before its answer, or with it") {
  CHECK(Story().data('>').acknowledgment().data('<', 1s).measured().is_acknowledged_first);
  CHECK_FALSE(Story().data('>').data('<', 1s).acknowledgment().measured().is_acknowledged_first);
  CHECK_FALSE(Story().acknowledgment().data('>').data('<', 1s).measured().is_acknowledged_first);
  // The second request waits longest.
  CHECK(Story().data('>').data('<').data('>').acknowledgment().data('<', 1s).measured().request ==
        2);
  CHECK(Story()
            .data('>')
            .data('<')
            .data('>')
            .acknowledgment()
            .data('<', 1s)
            .measured()
            .is_acknowledged_first);
}

TEST_CASE("a server answers late if there is a pause before its answer, or no answer") {
  CHECK(Story().data('>').data('<', 150ms).measured().answers_late);
  CHECK(Story().data('>').data('<').data('>').measured().answers_late);
  CHECK_FALSE(Story().data('>').data('<', 50ms).measured().answers_late);
  CHECK(parameters_of(Story().data('>').data('<').measured()).at("answers_late") == "no");
}

TEST_CASE("what comes after the command of --after is not the client's way without it") {
  using capture::AuditReaction;
  Story story = both_run().connected(6379).data('>').command().data('<', 1s);
  const Baseline found = story.wrote("client", "job")
                             .program("client", ProgramChange::exited)
                             .judged(AuditReaction::printed)
                             .measured();
  CHECK_FALSE(found.ends);
  CHECK(found.answer.empty());
  CHECK(found.reaction == AuditReaction::printed);
  CHECK(parameters_of(found).at("baseline") == "waits");
  CHECK(parameters_of(found).at("reaction") == "printed");
  CHECK(story.problem().empty());
}

TEST_CASE("a client that does not react to the command of --after is no basis for an audit") {
  using capture::AuditReaction;
  const auto problem = [](AuditReaction reaction) {
    return both_run().connected(6379).command().judged(reaction).problem();
  };
  CHECK_THAT(problem(AuditReaction::none), Contains("does not react"));
  CHECK_THAT(problem(AuditReaction::always_active), Contains("cannot be told"));
  CHECK_THAT(problem(AuditReaction::command_failed), Contains("has not ended"));
  CHECK(problem(AuditReaction::sent).empty());
}
