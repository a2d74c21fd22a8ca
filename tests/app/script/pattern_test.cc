#include "app/script/pattern.hh"

#include <poll.h>

#include <cerrno>
#include <csignal>

#include "tests/catch.hh"
#include "tests/samples.hh"

using namespace tcplab;
using namespace tcplab::app;
using capture::Fate;
using capture::ProgramChange;
using capture::TcpState;
using tests::event;
using tests::returned;

namespace {

CallPattern call_pattern(const std::string& name) {
  CallPattern pattern;
  pattern.host = "kang";
  pattern.program = "dnc";
  pattern.call = name;
  return pattern;
}

StatePattern state_pattern(std::optional<TcpState> to) {
  StatePattern pattern;
  pattern.host = "kang";
  pattern.subject = "kang's dnc";
  pattern.to = to;
  pattern.owns = [](const lab::ConnectionKey& key) { return key == tests::kKangsEnd; };
  return pattern;
}

capture::State change(const lab::ConnectionKey& key, TcpState from, TcpState to) {
  capture::State state;
  state.host = "kang";
  state.local = key.local;
  state.remote = key.remote;
  state.from = from;
  state.to = to;
  return state;
}

PacketPattern packet_pattern(const std::string& filter, std::optional<Fate> fate = {}) {
  PacketPattern pattern(lab::FrameFilter("kang > kodos", filter));
  pattern.fate = fate;
  pattern.find_frame = [](std::uint64_t number) -> const lab::KeptFrame* {
    static const tests::Bytes bytes = tests::segment(tests::kRst);
    static const lab::KeptFrame kept{7, bytes, lab::packet_facts(capture::decode(bytes))};
    return number == kept.number ? &kept : nullptr;
  };
  return pattern;
}

capture::Packet packet(Fate fate, std::uint64_t number = 7) {
  capture::Packet packet;
  packet.frame = number;
  packet.from = "kang";
  packet.to = "kodos";
  packet.fate = fate;
  packet.effects = {{.kind = capture::EffectKind::lost,
                     .fault = capture::FaultRule{
                         .verb = capture::ActionVerb::cut, .from = "kang", .to = "kodos"}}};
  packet.protocol = "TCP";
  packet.summary = "R seq 1";
  return packet;
}

ProgramPattern program_pattern(ProgramChange change) {
  ProgramPattern pattern;
  pattern.host = "kang";
  pattern.program = "dnc";
  pattern.change = change;
  return pattern;
}

capture::Program program(ProgramChange change, int code, const std::string& text = "") {
  capture::Program program;
  program.host = "kang";
  program.program = "dnc";
  program.change = change;
  program.code = code;
  program.text = text;
  return program;
}

}  // namespace

TEST_CASE("a call pattern matches one call of one program") {
  const CallPattern pattern = call_pattern("read");
  CHECK(pattern.look(event(returned("read", 22))) == Match::yes);
  CHECK(pattern.look(event(returned("write", 22))) == Match::no);
  capture::Call other = returned("read", 22);
  other.program = "dnc-2";
  CHECK(pattern.look(event(other)) == Match::no);
  other = returned("read", 22);
  other.host = "kodos";
  CHECK(pattern.look(event(other)) == Match::no);
  CHECK(pattern.look(event(capture::Note{"read"})) == Match::no);
}

TEST_CASE("a pattern matches reads and writes of standard streams only if it names the stream") {
  capture::Call typed = returned("read", 6);
  typed.fd = 0;
  CallPattern pattern = call_pattern("read");
  CHECK(pattern.look(event(typed)) == Match::no);
  CHECK(pattern.look(event(returned("read", 6))) == Match::yes);
  pattern.standard_stream = 0;
  CHECK(pattern.look(event(typed)) == Match::yes);
  CHECK(pattern.look(event(returned("read", 6))) == Match::no);
  CHECK(pattern.describe() == "kang's dnc: read of stdin returns");

  capture::Call printed = returned("write", 6);
  printed.fd = 1;
  pattern = call_pattern("write");
  CHECK(pattern.look(event(printed)) == Match::no);
  pattern.standard_stream = 1;
  CHECK(pattern.look(event(printed)) == Match::yes);
  CHECK(pattern.describe() == "kang's dnc: write to stdout returns");

  capture::Call bound = returned("bind", -1, ENOTSOCK);  // a program's mistake must match
  bound.fd = 0;
  CHECK(call_pattern("bind").look(event(bound)) == Match::yes);
}

TEST_CASE("a call that returns another result is a near miss") {
  CallPattern pattern = call_pattern("read");
  pattern.result = -1;
  pattern.error = ECONNRESET;
  CHECK(pattern.look(event(returned("read", -1, ECONNRESET))) == Match::yes);
  CHECK(pattern.look(event(returned("read", -1, ETIMEDOUT))) == Match::near);
  CHECK(pattern.look(event(returned("read", 0))) == Match::near);
  pattern = call_pattern("read");
  pattern.data = "hello";
  CHECK(pattern.look(event(returned("read", 5))) == Match::near);
}

TEST_CASE("entering a call and returning from it are different events") {
  capture::Call entered = returned("poll", 0);
  entered.phase = capture::CallPhase::enter;
  CallPattern pattern = call_pattern("poll");
  CHECK(pattern.look(event(entered)) == Match::no);
  pattern.entered = true;
  CHECK(pattern.look(event(entered)) == Match::yes);
  CHECK(pattern.look(event(returned("poll", 0))) == Match::no);
}

TEST_CASE("poll's revents match exactly") {
  CallPattern pattern = call_pattern("poll");
  pattern.revents = POLLIN | POLLHUP;
  capture::Call poll = returned("poll", 1);
  poll.revents = POLLIN | POLLHUP;
  CHECK(pattern.look(event(poll)) == Match::yes);
  poll.revents = POLLIN | POLLHUP | POLLERR;
  CHECK(pattern.look(event(poll)) == Match::near);
}

TEST_CASE("a call pattern describes what it waits for") {
  CallPattern pattern = call_pattern("read");
  CHECK(pattern.describe() == "kang's dnc: read returns");
  pattern.result = 22;
  CHECK(pattern.describe() == "kang's dnc: read returns 22");
  pattern.result = -1;
  pattern.error = ECONNRESET;
  CHECK(pattern.describe() == "kang's dnc: read returns -1 ECONNRESET");
  pattern = call_pattern("poll");
  pattern.revents = POLLERR | POLLHUP;
  CHECK(pattern.describe() == "kang's dnc: poll returns with revents ERR|HUP");
  pattern.entered = true;
  CHECK(pattern.describe() == "kang's dnc: poll is entered");
  pattern = call_pattern("getsockopt");
  pattern.result = 0;
  pattern.error = EPIPE;
  CHECK(pattern.describe() == "kang's dnc: getsockopt returns 0 with the value EPIPE");
}

TEST_CASE("a state pattern matches connections that the subject owns") {
  const StatePattern pattern = state_pattern(TcpState::close_wait);
  const auto to = [](TcpState state) {
    return change(tests::kKangsEnd, TcpState::established, state);
  };
  CHECK(pattern.look(event(to(TcpState::close_wait))) == Match::yes);
  CHECK(pattern.look(event(to(TcpState::closed))) == Match::near);
  CHECK(pattern.look(event(
            change(tests::kKodosEnd, TcpState::established, TcpState::close_wait))) == Match::no);
  CHECK(state_pattern(std::nullopt).look(event(to(TcpState::closed))) == Match::yes);
  CHECK(pattern.describe() == "kang's dnc in state CLOSE_WAIT");
  CHECK(state_pattern(std::nullopt).describe() == "kang's dnc changes its state");
}

TEST_CASE("a packet that the filter rejects is a near miss") {
  CHECK(packet_pattern("tcp[tcpflags] & tcp-rst != 0").look(event(packet(Fate::delivered))) ==
        Match::yes);
  CHECK(packet_pattern("tcp[tcpflags] & tcp-syn != 0").look(event(packet(Fate::delivered))) ==
        Match::near);
  capture::Packet other_way = packet(Fate::delivered);
  std::swap(other_way.from, other_way.to);
  CHECK(packet_pattern("").look(event(other_way)) == Match::near);
}

TEST_CASE("a pattern with a fate matches that fate; others match all but held packets") {
  CHECK(packet_pattern("").look(event(packet(Fate::lost))) == Match::yes);
  CHECK(packet_pattern("").look(event(packet(Fate::held))) == Match::no);
  CHECK(packet_pattern("", Fate::held).look(event(packet(Fate::held))) == Match::yes);
  CHECK(packet_pattern("", Fate::lost).look(event(packet(Fate::lost))) == Match::yes);
  CHECK(packet_pattern("", Fate::lost).look(event(packet(Fate::delivered))) == Match::no);
  CHECK(packet_pattern("", Fate::delivered).look(event(packet(Fate::lost))) == Match::no);
}

TEST_CASE("a frame whose bytes are no longer kept cannot match") {
  CHECK(packet_pattern("").look(event(packet(Fate::delivered, 8))) == Match::no);
}

TEST_CASE("a packet pattern describes what it waits for") {
  CHECK(packet_pattern("tcp").describe() == "a packet kang > kodos, tcp");
  CHECK(packet_pattern("", Fate::lost).describe() == "a packet kang > kodos, lost");
  CHECK(packet_pattern("", Fate::held).describe() == "a packet kang > kodos, held");
}

TEST_CASE("a program's end matches by kind and code, and another end is a near miss") {
  ProgramPattern exits = program_pattern(ProgramChange::exited);
  CHECK(exits.look(event(program(ProgramChange::exited, 1))) == Match::yes);
  exits.code = 0;
  CHECK(exits.look(event(program(ProgramChange::exited, 0))) == Match::yes);
  CHECK(exits.look(event(program(ProgramChange::exited, 1))) == Match::near);
  CHECK(exits.look(event(program(ProgramChange::killed, SIGPIPE))) == Match::near);
  CHECK(exits.look(event(program(ProgramChange::started, 0))) == Match::no);
  CHECK(exits.look(event(program(ProgramChange::wrote, 0, "bye"))) == Match::no);
}

TEST_CASE("a program's output matches if it contains the text") {
  CHECK(describe(event(program(ProgramChange::wrote, 0, "two\nlines"))) ==
        "kang's dnc wrote \"two\\nlines\"");
  const std::string bulk =
      describe(event(program(ProgramChange::wrote, 0, std::string(4096, 'x'))));
  CHECK(bulk.size() < 100);
  ProgramPattern prints = program_pattern(ProgramChange::wrote);
  prints.text = "there";
  CHECK(prints.look(event(program(ProgramChange::wrote, 0, "are you there?"))) == Match::yes);
  CHECK(prints.look(event(program(ProgramChange::wrote, 0, "are you?"))) == Match::near);
  CHECK(prints.look(event(program(ProgramChange::exited, 0))) == Match::no);
  CHECK(prints.describe() == "kang's dnc writes \"there\"");
}

TEST_CASE("an event is described in one line") {
  CHECK(describe(event(returned("read", -1, ECONNRESET))) == "read(3) = -1 ECONNRESET");
  CHECK(describe(event(change(tests::kKangsEnd, TcpState::established, TcpState::close_wait))) ==
        "kang ESTABLISHED -> CLOSE_WAIT");
  CHECK(describe(event(packet(Fate::lost))) == "kang > kodos TCP R seq 1 (lost: cut kang > kodos)");
  CHECK(describe(event(program(ProgramChange::killed, SIGPIPE))) == "kang's dnc killed by SIGPIPE");
  CHECK(describe(event(program(ProgramChange::exited, 3))) == "kang's dnc exited with status 3");
  capture::Call poll = returned("poll", 1);
  poll.revents = POLLIN;
  CHECK(describe(event(poll)) == "poll(3) = 1 IN");
}

TEST_CASE("an argument is matched word by word, and never by a part of a word") {
  CHECK(has_argument("TCP_USER_TIMEOUT = 5000", "TCP_USER_TIMEOUT"));
  CHECK(has_argument("TCP_USER_TIMEOUT = 5000", "TCP_USER_TIMEOUT = 5000"));
  CHECK(has_argument("TCP_USER_TIMEOUT = 5000", "5000"));
  CHECK_FALSE(has_argument("TCP_USER_TIMEOUT = 5000", "TCP_USER"));
  CHECK_FALSE(has_argument("TCP_USER_TIMEOUT = 5000", "500"));
  CHECK_FALSE(has_argument("TCP_USER_TIMEOUT = 5000", "5000 TCP_USER_TIMEOUT"));
  CHECK(has_argument("AF_INET, SOCK_STREAM|SOCK_NONBLOCK", "SOCK_STREAM"));
  CHECK(has_argument("SO_LINGER = {1, 0 s}", "{1, 0 s}"));
  CHECK_FALSE(has_argument("SO_REUSEADDR = 1", ""));
  CHECK_FALSE(has_argument("", "SO_REUSEADDR"));
}

TEST_CASE("calls are distinguished by their arguments") {
  CallPattern pattern = call_pattern("setsockopt");
  pattern.result = 0;
  pattern.arguments = {"TCP_USER_TIMEOUT"};
  capture::Call call = tests::returned("setsockopt", 0);
  call.arguments = "SO_REUSEADDR = 1";
  CHECK(pattern.look(event(call)) == Match::near);
  call.arguments = "TCP_USER_TIMEOUT = 5000";
  CHECK(pattern.look(event(call)) == Match::yes);
  pattern.arguments.emplace_back("6000");
  CHECK(pattern.look(event(call)) == Match::near);
  CHECK(pattern.describe() == "kang's dnc: setsockopt TCP_USER_TIMEOUT 6000 returns 0");
}

TEST_CASE("a stored value is compared as what it is") {
  CallPattern pattern = call_pattern("getsockopt");
  capture::Call call = tests::returned("getsockopt", 0);
  call.arguments = "TCP_MAXSEG";
  call.value = std::int64_t{1448};
  CHECK(pattern.look(event(call)) == Match::yes);
  pattern.value = std::int64_t{536};
  CHECK(pattern.look(event(call)) == Match::near);
  pattern.value = std::int64_t{1448};
  CHECK(pattern.look(event(call)) == Match::yes);
  CHECK(pattern.describe() == "kang's dnc: getsockopt returns with the value 1448");
  CHECK(describe(event(call)) == "getsockopt(3, TCP_MAXSEG) = 0 1448");
}
