#include "capture/event/event_json.hh"

#include <cerrno>

#include "tests/catch.hh"

using namespace tcplab::capture;
using tcplab::base::Endpoint;
using tcplab::base::from_nanoseconds;
using tcplab::base::UsageError;

namespace {

Event event_of(Body body) { return Event{7, from_nanoseconds(123), std::move(body)}; }

const Endpoint kKang = *Endpoint::parse("10.0.0.1:40000");
const Endpoint kKodos = *Endpoint::parse("[fd00::2]:8080");

RunStart example_run() {
  return RunStart{.scenario = "power-cycle",
                  .title = "Power cycle",
                  .asks = "What happens?",
                  .article = "ECONNRESET",
                  .here = "the same",
                  .why = "RFC 9293",
                  .source = "TCP puzzlers",
                  .file = "scenarios/puzzlers/power-cycle.lua",
                  .tags = {"puzzlers", "power"},
                  .family = tcplab::base::Family::ipv6,
                  .timers = "fast",
                  .kernel = "6.18.0",
                  .wall_offset = std::chrono::seconds(1'700'000'000),
                  .script = "return {}\n",
                  .quiz = Question{"What?", {{"This", true, "Because."}, {"That", false, ""}}}};
}

Call example_call() {
  return Call{.host = "kang",
              .program = "dnc",
              .pid = 99,
              .id = 7,
              .phase = CallPhase::leave,
              .call = "read",
              .fd = 3,
              .arguments = "up to 1024 bytes",
              .entered = from_nanoseconds(120),
              .result = -1,
              .error = ECONNRESET,
              .revents = 0x19,
              .stdin_revents = 0x10,
              .data = "hello\\n",
              .local = kKang,
              .remote = kKodos};
}

State example_state() {
  return State{.host = "kang",
               .local = kKang,
               .remote = kKodos,
               .from = TcpState::established,
               .to = TcpState::fin_wait1,
               .cause = StateCause::frame,
               .frame = 4,
               .socket = Socket{.state = TcpState::fin_wait1,
                                .local = kKang,
                                .remote = kKodos,
                                .receive_queue = 1,
                                .send_queue = 2,
                                .timer = 1,
                                .timer_expires_ms = 200,
                                .retransmits = 3,
                                .inode = 4711}};
}

Packet example_packet() {
  return Packet{.frame = 4,
                .from = "kang",
                .to = "kodos",
                .sent = from_nanoseconds(100),
                .delivered = from_nanoseconds(123),
                .fate = Fate::held,
                .effects = {{.kind = EffectKind::held,
                             .fault = FaultRule{.verb = ActionVerb::hold, .name = "rule 1"}},
                            {.kind = EffectKind::corrupted,
                             .fault = FaultRule{.verb = ActionVerb::corrupt,
                                                .options = "byte 13",
                                                .selection = "2 of ",
                                                .from = "kang",
                                                .to = "kodos",
                                                .filter = "tcp",
                                                .link = "wan"},
                             .span = std::chrono::milliseconds(50),
                             .frame = 3,
                             .offset = 13,
                             .before = 16,
                             .after = 17}},
                .protocol = "TCP",
                .source = kKang,
                .destination = kKodos,
                .flags = "F.",
                .sequence = 4'294'967'295,
                .acknowledgment = 23,
                .window = 502,
                .window_scale = 7,
                .sack = {{4'294'967'000, 23}, {40, 60}},
                .length = 22,
                .summary = "F. seq 1 ack 23 win 502"};
}

/// With every member.
Action example_action() {
  return Action{.host = "kodos",
                .verb = ActionVerb::forge,
                .program = "dnc",
                .signal = 15,
                .text = "flags R",
                .name = "net.ipv4.tcp_sack",
                .value = "0",
                .nic = "eth0",
                .address = "10.0.0.9",
                .gateway = "10.0.0.1",
                .from = "kang",
                .span = std::chrono::seconds(1),
                .story_span = std::chrono::seconds(60),
                .fault = FaultRule{.verb = ActionVerb::mtu, .options = "1400"},
                .line = 12};
}

Action example_injection() {
  return Action{.host = "kang",
                .verb = ActionVerb::inject,
                .program = "curl",
                .injection = InjectionRule{.call = "recv",
                                           .error = EINTR,
                                           .bytes = 7,
                                           .delay = std::chrono::milliseconds(300),
                                           .nth = 3,
                                           .times = 2,
                                           .local = kKang,
                                           .remote = kKodos,
                                           .state = TcpState::close_wait,
                                           .after_bytes = 40}};
}

std::vector<Body> one_of_each() {
  return {example_run(),
          HostUp{"kang", 2, {{"eth0", "02:00:00:00:00:01", {"10.0.0.1/24", "fd00::1/64"}}}},
          HostUp{"kodos", 1, {}, true},
          Program{.host = "kang",
                  .program = "dnc",
                  .pid = 99,
                  .change = ProgramChange::started,
                  .command = "dnc kodos 8080"},
          Program{.host = "kang", .program = "dnc", .change = ProgramChange::killed, .code = 13},
          Program{.host = "kang",
                  .program = "dnc",
                  .change = ProgramChange::wrote,
                  .stream = "stdout",
                  .text = "hello\n"},
          example_call(),
          Call{.phase = CallPhase::enter, .call = "poll", .arguments = "{fd 3 IN}"},
          Call{.phase = CallPhase::leave,
               .call = "send",
               .injected = true,
               .injected_delay = std::chrono::milliseconds(300)},
          example_state(),
          example_packet(),
          Sending{.host = "kang",
                  .local = kKang,
                  .remote = kKodos,
                  .frame = 3,
                  .info = {.rto = std::chrono::milliseconds(204),
                           .rtt = std::chrono::microseconds(80),
                           .unacked = 1,
                           .lost = 1,
                           .cwnd = 10,
                           .ssthresh = 0x7fffffff,
                           .mss = 1448,
                           .window = 65'152}},
          Flood{"kang", "kodos", 1000, 1'514'000, std::chrono::milliseconds(100)},
          Action{.host = "kodos", .verb = ActionVerb::power_cycle, .line = 12},
          example_action(),
          example_injection(),
          Verdict{true, "kang ESTABLISHED", "ESTABLISHED", "", "kang", "a.lua", 10, "expect"},
          Verdict{.expected = "a packet", .nearest = "frame 3"},
          Verdict{.expected = "it exits",
                  .last_lines = {{"kang", "sh", "stdout", "one\ntwo\n"},
                                 {"kodos", "dnc", "stderr", "dnc: no\n"}}},
          Note{"now watch"},
          Kernel{.host = "kodos",
                 .what = KernelAction::reset,
                 .local = kKodos,
                 .remote = kKang,
                 .reason = "NO_SOCKET",
                 .state = TcpState::established,
                 .frame = 4},
          Kernel{.host = "kang", .what = KernelAction::error, .error = ECONNRESET},
          AuditNote{.step = AuditStep::judged, .text = "no SYN"},
          Unchecked{"6.5", "kang ESTABLISHED", "kang", "a.lua", 10, "expect"},
          RunEnd{Outcome::failed, "line 10", std::chrono::seconds(3)}};
}

std::string why_refused(const std::string& line) {
  try {
    parse_event(line);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "it was taken";
}

std::string note_line(const std::string& text) { return to_json_line(event_of(Note{text})); }

}  // namespace

TEST_CASE("an event of every kind is unchanged after it is written and read") {
  for (const Body& body : one_of_each()) {
    const std::string line = to_json_line(event_of(body));
    INFO(line);
    const Event again = parse_event(line);
    CHECK(again.number == 7);
    CHECK(again.at == from_nanoseconds(123));
    CHECK(again.body.index() == body.index());
    CHECK(to_json_line(again) == line);
  }
}

TEST_CASE("every field of a call is unchanged after it is written and read") {
  const Event again = parse_event(to_json_line(event_of(example_call())));
  const auto& call = std::get<Call>(again.body);
  CHECK(call.host == "kang");
  CHECK(call.pid == 99);
  CHECK(call.id == 7);
  CHECK(call.phase == CallPhase::leave);
  CHECK(call.entered == from_nanoseconds(120));
  CHECK(call.result == -1);
  CHECK(call.error == ECONNRESET);
  CHECK(call.revents == 0x19);
  CHECK(call.stdin_revents == 0x10);
  CHECK(call.data == "hello\\n");
  CHECK(call.local == kKang);
  CHECK(call.remote == kKodos);
}

TEST_CASE("a packet is written as docs/events.md describes it") {
  CHECK(to_json_line(event_of(example_packet())) ==
        R"({"n":7,"t":123,"kind":"packet","frame":4,"from":"kang","to":"kodos","sent":100,)"
        R"("delivered":123,"fate":"held","effects":[)"
        R"({"kind":"held","fault":{"verb":"hold","name":"rule 1"}},)"
        R"({"kind":"corrupted","fault":{"verb":"corrupt","options":"byte 13","selection":"2 of ",)"
        R"("from":"kang","to":"kodos","filter":"tcp","link":"wan"},"span":50000000,"frame":3,)"
        R"("offset":13,"before":16,"after":17}],"protocol":"TCP",)"
        R"("source":"10.0.0.1:40000","destination":"[fd00::2]:8080","flags":"F.",)"
        R"("seq":4294967295,"ack":23,"window":502,"window_scale":7,)"
        R"("sack":[{"begin":4294967000,"end":23},{"begin":40,"end":60}],"length":22,)"
        R"("summary":"F. seq 1 ack 23 win 502"})");
}

TEST_CASE("SO_ERROR is written as a value, because the call itself succeeded") {
  Call call{.phase = CallPhase::leave, .call = "getsockopt", .error = EPIPE};
  const std::string line = to_json_line(event_of(call));
  CHECK(line.find(R"("result":0,"value":"EPIPE")") != std::string::npos);
  CHECK(line.find("errno") == std::string::npos);
  CHECK(std::get<Call>(parse_event(line).body).error == EPIPE);
}

TEST_CASE("a call written by dnc, without number, host and program, is read") {
  const Event event = parse_event(
      R"({"kind":"call","t":123,"pid":123,"id":7,"phase":"return","call":"read","fd":3,)"
      R"("args":"1024","entered":120,"result":22,"errno":"ECONNRESET","revents":"IN|ERR|HUP",)"
      R"("stdin_revents":"HUP","data":"hello\\n","local":"10.0.0.1:40000",)"
      R"("remote":"10.0.0.2:8080","unheard_of":[1,2]})");
  const auto& call = std::get<Call>(event.body);
  CHECK(event.number == 0);
  CHECK(call.host.empty());
  CHECK(call.arguments == "1024");
  CHECK(call.result == 22);
  CHECK(call.data == "hello\\n");
}

TEST_CASE("an errno without a name keeps its number") {
  Call call{.phase = CallPhase::leave, .call = "read", .result = -1, .error = 4711};
  const Event again = parse_event(to_json_line(event_of(call)));
  CHECK(std::get<Call>(again.body).error == 4711);
}

TEST_CASE("any text is written as valid JSON") {
  CHECK(note_line("a\"b\\c\n\r\t\x01") ==
        R"({"n":7,"t":123,"kind":"note","text":"a\"b\\c\n\r\t\u0001"})");
  CHECK(note_line("gr\xc3\xbc\xc3\x9f\x65 \xf0\x9f\x98\x80")
            .find("gr\xc3\xbc\xc3\x9f\x65 \xf0\x9f\x98\x80") != std::string::npos);
}

TEST_CASE("bytes that are not UTF-8 are escaped") {
  struct Case {
    std::string bytes, escaped;
  };
  const auto [bytes, escaped] = GENERATE(values<Case>({
      {"\xff", "\\u00ff"},
      {"\x80", "\\u0080"},
      {"\xc3", "\\u00c3"},                                   // cut off
      {"\xc3(", "\\u00c3("},                                 // no continuation
      {"\xc0\xaf", "\\u00c0\\u00af"},                        // overlong
      {"\xe0\x80\xaf", "\\u00e0\\u0080\\u00af"},             // overlong
      {"\xed\xa0\x80", "\\u00ed\\u00a0\\u0080"},             // a surrogate
      {"\xf4\x90\x80\x80", "\\u00f4\\u0090\\u0080\\u0080"},  // past U+10FFFF
      {"\xf8\x88\x80\x80\x80", "\\u00f8\\u0088\\u0080\\u0080\\u0080"},
  }));
  INFO(escaped);
  CHECK(note_line(bytes) == R"({"n":7,"t":123,"kind":"note","text":")" + escaped + "\"}");
}

TEST_CASE("a note with any bytes is written as a line that can be read") {
  for (int pair = 0; pair < 0x10000; pair += 7) {
    const std::string text = {char(pair >> 8), char(pair & 0xff)};
    INFO(pair);
    CHECK_NOTHROW(parse_event(note_line(text)));
  }
}

TEST_CASE("an invalid line is refused with a reason") {
  CHECK(why_refused("") == "not JSON, at byte 1");
  CHECK(why_refused("{\"t\":1,\"kind\"") == "not JSON, at byte 14");
  CHECK(why_refused("[]") == "not a JSON object");
  CHECK(why_refused(R"({"t":1E999})") == "a number in it is too large");
  CHECK(why_refused(R"({"kind":"note"})") == "\"t\" is missing");
  CHECK(why_refused(R"({"t":1})") == "\"kind\" is missing");
  CHECK(why_refused(R"({"t":-9223372036854775808,"kind":"note"})") ==
        "\"t\" is not a time since the machine started");
  CHECK(why_refused(R"({"t":"1","kind":"note"})") == "\"t\" is not a whole number");
  CHECK(why_refused(R"({"t":1,"kind":"note","text":1})") == "\"text\" is not a string");
  CHECK(why_refused(R"({"t":1,"kind":"action"})") == "\"verb\" is missing");
  CHECK(why_refused(R"({"t":1,"kind":"call","call":"read","phase":"leave"})") ==
        "\"phase\" is not a known word: leave");
  CHECK(why_refused(R"({"t":1,"kind":"packet","frame":-1,"fate":"lost"})") ==
        "\"frame\" is out of range");
  CHECK(why_refused(R"({"t":1,"kind":"state","from":"CLOSED","to":"OPEN"})") ==
        "\"to\" is not a TCP state: OPEN");
  CHECK(why_refused(R"({"t":1,"kind":"run","format":"tcplab-events","version":3})") ==
        "\"version\" is 3, which this program does not know");
  CHECK(why_refused(R"({"t":1,"kind":"run","format":"tcplab-events","version":0})") ==
        "\"version\" is 0, which this program does not know");
  CHECK(why_refused(R"({"t":1,"kind":"action","verb":"explode"})") ==
        "\"verb\" is not a known word: explode");
  CHECK(why_refused(R"({"t":1,"kind":"packet","frame":1,"fate":"lost","effects":[{}]})") ==
        "\"kind\" is missing");
  CHECK(why_refused(R"({"t":1,"kind":"packet","frame":1,"fate":"lost","effects":[1]})") ==
        "\"effects\" is not a list of objects");
  CHECK(why_refused(R"({"t":1,"kind":"action","verb":"remove","fault":1})") ==
        "\"fault\" is not an object");
  CHECK(why_refused(R"({"t":1,"kind":"run"})") == "\"format\" is not tcplab-events");
}

TEST_CASE("a file of version 1 is read, without its texts") {
  CHECK_NOTHROW(
      parse_event(R"({"t":1,"kind":"run","format":"tcplab-events","version":1,"scenario":"old"})"));
  const Event packet = parse_event(
      R"({"t":1,"kind":"packet","frame":1,"sent":1,"fate":"lost","why":"kodos is unplugged"})");
  CHECK(std::get<Packet>(packet.body).effects.empty());
  const Event forged = parse_event(
      R"({"t":1,"kind":"action","host":"kang","verb":"is sent a forgery,","detail":"flags R"})");
  CHECK(std::get<Action>(forged.body).verb == ActionVerb::forge);
  const Event lifted = parse_event(R"({"t":1,"kind":"action","verb":"lift","detail":"cut"})");
  CHECK(std::get<Action>(lifted.body).verb == ActionVerb::remove);
}

TEST_CASE("an unknown kind of event throws UnknownKind") {
  CHECK_THROWS_AS(parse_event(R"({"t":1,"kind":"weather"})"), UnknownKind);
}

TEST_CASE("every prefix of a line is refused, and a damaged byte throws only UsageError") {
  for (const Body& body : one_of_each()) {
    const std::string line = to_json_line(event_of(body));
    for (std::size_t at = 0; at < line.size(); ++at) {
      CHECK_THROWS_AS(parse_event(line.substr(0, at)), UsageError);
      std::string damaged = line;
      damaged[at] = '}';
      CHECK_NOTHROW(why_refused(damaged));  // throws nothing but UsageError
    }
  }
}
