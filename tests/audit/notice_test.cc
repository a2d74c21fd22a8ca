// When a program notices a fault, and how long after it.
#include "audit/notice.hh"

#include <cerrno>

#include "tests/catch.hh"

using namespace tcplab;
using namespace std::chrono_literals;
using audit::NoticeKind;
using audit::NoticeWatch;
using capture::ActionVerb;
using capture::Event;

namespace {

const base::Endpoint kClient{*base::IpAddress::parse("10.0.0.1"), 40000};
const base::Endpoint kServer{*base::IpAddress::parse("10.0.0.2"), 8080};

Event event(base::nanoseconds at, capture::Body body) {
  return {.number = 1, .at = base::Instant{} + at, .body = std::move(body)};
}

capture::Call call(const std::string& name, std::int64_t result, int error = 0) {
  capture::Call made;
  made.host = "kang";
  made.program = "curl";
  made.phase = capture::CallPhase::leave;
  made.call = name;
  made.arguments = "100 bytes";
  made.result = result;
  made.error = error;
  made.local = kClient;
  made.remote = kServer;
  return made;
}

capture::Action action(ActionVerb verb, const std::string& host = "kodos") {
  capture::Action made;
  made.host = host;
  made.verb = verb;
  return made;
}

capture::Packet frame(const std::string& flags, base::nanoseconds delivered,
                      const base::Endpoint& to = kClient) {
  capture::Packet packet;
  packet.from = "kodos";
  packet.to = "kang";
  packet.flags = flags;
  packet.source = kServer;
  packet.destination = to;
  packet.delivered = base::Instant{} + delivered;
  return packet;
}

std::optional<NoticeKind> kind(const capture::Call& made) {
  return audit::notice_kind(event(1s, made));
}

}  // namespace

TEST_CASE("an error, the end of the stream, an own timer and the end tell a program") {
  CHECK(kind(call("recvfrom", -1, ETIMEDOUT)) == NoticeKind::error);
  CHECK(kind(call("getsockopt", 0, EPIPE)) == NoticeKind::error);
  CHECK(kind(call("read", 0)) == NoticeKind::end_of_stream);
  CHECK(kind(call("poll", 0)) == NoticeKind::own_timer);
  capture::Program ended;
  ended.change = capture::ProgramChange::exited;
  CHECK(audit::notice_kind(event(1s, ended)) == NoticeKind::end);

  CHECK_FALSE(kind(call("recvfrom", -1, EAGAIN)));
  CHECK_FALSE(kind(call("recvfrom", 5)));
  CHECK_FALSE(kind(call("epoll_ctl", -1, EEXIST)));  // it says nothing about the connection
  CHECK_FALSE(kind(call("setsockopt", -1, ENOPROTOOPT)));
  CHECK(kind(call("shutdown", -1, ENOTCONN)) == NoticeKind::error);
  CHECK_FALSE(kind(call("close", 0)));
  capture::Call glance = call("poll", 0);
  glance.arguments = "{fd 3 IN}, timeout 0 ms";
  CHECK_FALSE(kind(glance));
}

TEST_CASE("the time to notice is measured from the last fault before it") {
  NoticeWatch watch;
  CHECK_FALSE(watch.measure(event(1s, call("read", 0)))->after_fault);
  watch.note(event(2s, action(ActionVerb::unplug)));
  watch.note(event(3s, action(ActionVerb::plug)));
  watch.note(event(9s, action(ActionVerb::power_off)));
  const auto notice = watch.measure(event(7s, call("recvfrom", -1, ETIMEDOUT)));
  REQUIRE(notice);
  CHECK(notice->after_fault == 5s);
  CHECK(notice->fault->verb == ActionVerb::unplug);
  CHECK_FALSE(notice->after_frame);
  CHECK_FALSE(watch.measure(event(7s, call("recvfrom", 1))));
}

TEST_CASE("an injected error is a notice, but of no fault") {
  NoticeWatch watch;
  watch.note(event(1s, action(ActionVerb::unplug)));
  watch.note(event(2s, action(ActionVerb::inject, "kang")));
  capture::Call made = call("recvfrom", -1, ECONNRESET);
  made.injected = true;
  const auto notice = watch.measure(event(3s, made));
  REQUIRE(notice);
  CHECK(notice->kind == NoticeKind::error);
  CHECK_FALSE(notice->after_fault);
  CHECK_FALSE(watch.first(event(3s, made)));
  // The fault before the rule is what it notices later, also by a call that was late.
  made.injected = false;
  made.injected_delay = 300ms;
  const auto first = watch.first(event(5s, made));
  REQUIRE(first);
  CHECK(first->notice.after_fault == 4s);
}

TEST_CASE("a FIN or RST of its connection is the frame that tells the kernel") {
  NoticeWatch watch;
  watch.note(event(1s, frame("F.", 1s)));  // before the fault
  watch.note(event(2s, action(ActionVerb::power_cycle)));
  watch.note(event(3s, frame(".", 3s)));
  const base::Endpoint other{kClient.address, 40001};
  watch.note(event(4s, frame("R", 4s, other)));
  watch.note(event(5s, frame("R", 5s)));
  watch.note(event(6s, frame("R", 6s)));
  CHECK(watch.measure(event(7s, call("recvfrom", -1, ECONNRESET)))->after_frame == 2s);
  capture::Call timer = call("poll", 0);  // about no connection: any frame of its host
  timer.local.reset();
  timer.remote.reset();
  CHECK(watch.measure(event(7s, timer))->after_frame == 3s);
}

TEST_CASE("a program's first notice after each fault is reported") {
  NoticeWatch watch;
  CHECK_FALSE(watch.first(event(1s, call("read", 0))));  // no fault
  watch.note(event(2s, action(ActionVerb::power_off)));
  CHECK(watch.first(event(3s, call("read", 0))));
  CHECK_FALSE(watch.first(event(4s, call("read", 0))));
  watch.note(event(5s, action(ActionVerb::cut, "")));
  CHECK(watch.first(event(6s, call("read", 0))));
}

TEST_CASE("a timeout is reported once the program gives up, at the time of the timeout") {
  NoticeWatch watch;
  watch.note(event(2s, action(ActionVerb::power_off)));
  CHECK_FALSE(watch.first(event(3s, call("poll", 0))));
  CHECK_FALSE(watch.first(event(4s, call("poll", 0))));
  const auto first = watch.first(event(5s, call("close", 0)));
  REQUIRE(first);
  CHECK(first->notice.kind == NoticeKind::own_timer);
  CHECK(first->notice.after_fault == 2s);

  watch.note(event(6s, action(ActionVerb::cut, "")));
  CHECK_FALSE(watch.first(event(7s, call("poll", 0))));
  CHECK_FALSE(watch.first(event(8s, call("recvfrom", 5))));  // it went on
  CHECK_FALSE(watch.first(event(9s, call("close", 0))));
}

TEST_CASE("no notice of dnc, or of a program whose own host or process failed") {
  NoticeWatch watch;
  watch.note(event(2s, action(ActionVerb::power_off, "kang")));
  CHECK_FALSE(watch.first(event(3s, call("read", 0))));
  capture::Action kill = action(ActionVerb::kill, "kang");
  kill.program = "curl";
  watch.note(event(4s, kill));
  CHECK_FALSE(watch.first(event(5s, call("read", 0))));

  capture::Program started;
  started.host = "kang";
  started.program = "curl";
  started.change = capture::ProgramChange::started;
  started.command = "dnc kodos 8080";
  watch.note(event(6s, started));
  watch.note(event(7s, action(ActionVerb::power_off)));
  CHECK_FALSE(watch.first(event(8s, call("read", 0))));
}
