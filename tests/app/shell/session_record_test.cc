#include "app/shell/session_record.hh"

#include <poll.h>

#include <cerrno>
#include <chrono>

#include "tests/catch.hh"

using namespace tcplab;
using namespace tcplab::app;
using Catch::Matchers::Contains;
using namespace std::chrono_literals;

namespace {

const capture::Endpoint kClient = *base::Endpoint::parse("10.0.0.1:40000");
const capture::Endpoint kServer = *base::Endpoint::parse("10.0.0.2:8080");

/// Makes a session's events, as its run sends them.
struct Workshop {
  void turn(const std::string& text) {
    at += 1s;
    typed = text;
    record.turn_begins(at);
  }
  void done(std::map<std::string, std::string> more = {},
            std::map<std::string, std::uint64_t> moved = {}) {
    names.merge(more);
    for (const auto& [stream, to] : moved) cursors[stream] = to;
    record.turn_ends({.text = typed, .ok = true, .names = names, .cursors = cursors});
  }
  void failed(const std::string& error) {
    record.turn_ends(
        {.text = typed, .ok = false, .error = error, .names = names, .cursors = cursors});
  }
  std::uint64_t sees(capture::Body body, base::nanoseconds later = 1ms) {
    record.event({.number = ++number, .at = at + later, .body = std::move(body)});
    return number;
  }
  std::uint64_t call(const std::string& name, std::int64_t result, int error = 0) {
    capture::Call call;
    call.host = "kang";
    call.program = "dnc";
    call.phase = capture::CallPhase::leave;
    call.call = name;
    call.fd = 3;
    call.result = result;
    call.error = error;
    return sees(call);
  }
  std::uint64_t state(capture::TcpState to, base::nanoseconds later = 1ms) {
    return sees(capture::State{.host = "kang", .local = kClient, .remote = kServer, .to = to},
                later);
  }
  void connected() {
    turn("client = kang:dnc(kodos, 8080)");
    state(capture::TcpState::syn_sent);
    state(capture::TcpState::established);
    capture::Call connect;
    connect.host = "kang";
    connect.program = "dnc";
    connect.phase = capture::CallPhase::leave;
    connect.call = "connect";
    connect.fd = 3;
    connect.local = kClient;
    connect.remote = kServer;
    sees(connect);
    done({{"client", "kang/dnc"}});
  }
  std::string saved() const { return record.scenario("my-own"); }

  SessionRecord record;
  base::Instant at{};
  std::uint64_t number = 0;
  std::string typed;
  std::map<std::string, std::string> names;
  std::map<std::string, std::uint64_t> cursors;
};

}  // namespace

TEST_CASE("A saved session contains the typed lines", "[session_record]") {
  Workshop session;
  session.turn("kang, kodos = lab:pair()");
  session.done({{"kang", "kang"}, {"kodos", "kodos"}});
  session.turn("kodos:power_of()");
  session.failed("attempt to call a nil value (method 'power_of')");
  const std::string text = session.saved();
  CHECK_THAT(text, Contains("title = \"My own\""));
  CHECK_THAT(text, Contains("    local kang, kodos = lab:pair()\n"));
  CHECK_THAT(text, Contains("    -- kodos:power_of()\n    --   attempt to call a nil value"));
  CHECK(session.record.done() == 1);
}

TEST_CASE("Observations become expectations", "[session_record]") {
  Workshop session;
  session.turn("kang, kodos = lab:pair()");
  session.done({{"kang", "kang"}, {"kodos", "kodos"}});
  session.connected();

  SECTION("the last state of a program's connection") {
    const std::string text = session.saved();
    CHECK_THAT(text, Contains("    local client = kang:dnc(kodos, 8080)\n"
                              "    lab:expect(client):in_state \"ESTABLISHED\"\n"));
    CHECK_THAT(text, !Contains("SYN_SENT"));
  }
  SECTION("calls in their order") {
    session.turn("client:type \"x\\n\"");
    session.call("write", 2);
    session.call("read", -1, ECONNRESET);
    session.done();
    CHECK_THAT(session.saved(), Contains("    lab:expect(client):call(\"write\"):returns(2)\n"
                                         "    lab:expect(client):call(\"read\"):fails "
                                         "\"ECONNRESET\"\n"));
  }
  SECTION("a late event gets a longer time limit") {
    session.turn("kodos:unplug()");
    session.state(capture::TcpState::closed, 10s);
    session.done();
    CHECK_THAT(session.saved(), Contains("lab:expect(client):within(25):in_state \"CLOSED\""));
  }
  SECTION("unchanged states after a loss of power") {
    session.turn("kodos:power_cycle()");
    session.sees(capture::Action{.host = "kodos", .verb = capture::ActionVerb::power_cycle});
    session.done();
    CHECK_THAT(session.saved(), Contains("    kodos:power_cycle()\n"
                                         "    lab:expect(client):still_in_state"));
  }
}

TEST_CASE("An event that a typed expectation used is not expected again", "[session_record]") {
  Workshop session;
  session.connected();
  session.turn("client:type \"x\\n\"");
  session.call("write", 2);
  const auto reset = session.call("read", -1, ECONNRESET);
  session.call("read", 0);
  session.done();
  session.turn("lab:expect(client):call(\"read\"):fails \"ECONNRESET\"");
  session.done({}, {{"call kang/dnc", reset}});

  const std::string text = session.saved();
  const auto typed = text.find(":fails \"ECONNRESET\"");
  CHECK(text.find(":fails \"ECONNRESET\"", typed + 1) == std::string::npos);
  CHECK(text.find("call(\"write\"):returns(2)") < typed);
  CHECK(text.find("call(\"read\"):returns(0)") > typed);
  CHECK(text.find("call(\"read\"):returns(0)") != std::string::npos);
}

TEST_CASE("A program without a name gets one where it starts", "[session_record]") {
  Workshop session;
  session.turn("kodos:dnc(\"-l\", 8080)");
  session.done({{"kodos_dnc", "kodos/dnc"}});
  CHECK_THAT(session.saved(), Contains("    local kodos_dnc = kodos:dnc(\"-l\", 8080)\n"));
}
