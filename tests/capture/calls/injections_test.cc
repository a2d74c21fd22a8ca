// Which calls the rules of a script change, and which they only count.
#include "capture/calls/injections.hh"

#include <cerrno>

#include "tests/catch.hh"

using namespace tcplab;
using namespace std::chrono_literals;
using capture::CallChange;
using capture::InjectionRule;
using capture::Injections;
using capture::TcpState;

namespace {

constexpr capture::TracedProgram kProgram = 1;
const base::Endpoint kLocal{*base::IpAddress::parse("10.0.0.1"), 40000};
const base::Endpoint kRemote{*base::IpAddress::parse("10.0.0.2"), 8080};

/// A socket as a test wants it.
struct Facts : capture::CallFacts {
  std::optional<TcpState> state() const override { return is_in; }
  std::uint64_t bytes_before() const override { return before; }
  std::uint64_t bytes_asked() const override { return asked; }

  std::optional<TcpState> is_in = TcpState::established;
  std::uint64_t before = 0;
  std::uint64_t asked = 100;
};

capture::Call call(const std::string& name, const base::Endpoint& remote = kRemote) {
  capture::Call made;
  made.call = name;
  made.local = kLocal;
  made.remote = remote;
  return made;
}

InjectionRule fails(const std::string& name, int error) { return {.call = name, .error = error}; }

/// The errno that the next call gets; 0 if nothing happens to it.
int error_of(Injections& injections, const capture::Call& made, const Facts& facts = {}) {
  return injections.at_entry(kProgram, made, facts).value_or(CallChange{}).error;
}

}  // namespace

TEST_CASE("a rule changes the n-th call of its family, and as many as it says") {
  Injections injections;
  InjectionRule rule = fails("recv", EINTR);
  rule.nth = 2;
  rule.times = 2;
  injections.add(1, kProgram, rule);
  CHECK(error_of(injections, call("read")) == 0);
  CHECK(error_of(injections, call("sendto")) == 0);  // of another family: not counted
  CHECK(error_of(injections, call("recvfrom")) == EINTR);
  CHECK(error_of(injections, call("recvmsg")) == EINTR);
  CHECK(error_of(injections, call("recvfrom")) == 0);
}

TEST_CASE("a rule is about one program, until it is removed or the program ends") {
  Injections injections;
  injections.add(1, kProgram, fails("recv", EINTR));
  injections.add(2, kProgram + 1, fails("recv", EIO));
  injections.add(3, kProgram, fails("recv", EPIPE));
  CHECK(injections.at_entry(kProgram + 2, call("read"), Facts{}) == std::nullopt);
  injections.remove(1);
  injections.remove(1);
  CHECK(error_of(injections, call("read")) == EPIPE);
  injections.forget(kProgram);
  CHECK_FALSE(injections.is_empty());
  injections.forget(kProgram + 1);
  CHECK(injections.is_empty());
}

TEST_CASE("a rule can ask for a connection, a state and a number of bytes") {
  Injections injections;
  InjectionRule rule = fails("send", ENOBUFS);
  rule.local = kLocal;
  rule.remote = kRemote;
  rule.state = TcpState::close_wait;
  rule.after_bytes = 10;
  injections.add(1, kProgram, rule);
  Facts facts;
  facts.is_in = TcpState::close_wait;
  facts.before = 10;
  const base::Endpoint other{kRemote.address, 8081};
  CHECK(error_of(injections, call("write", other), facts) == 0);
  facts.before = 9;
  CHECK(error_of(injections, call("write"), facts) == 0);
  facts.before = 10;
  facts.is_in = TcpState::established;
  CHECK(error_of(injections, call("write"), facts) == 0);
  facts.is_in = std::nullopt;
  CHECK(error_of(injections, call("write"), facts) == 0);
  facts.is_in = TcpState::close_wait;
  CHECK(error_of(injections, call("write"), facts) == ENOBUFS);
}

TEST_CASE("only a call that asks for more can be short") {
  Injections injections;
  injections.add(1, kProgram, {.call = "send", .bytes = 3});
  Facts facts;
  facts.asked = 3;
  CHECK(injections.at_entry(kProgram, call("sendto"), facts) == std::nullopt);
  facts.asked = 0;  // it cannot be limited
  CHECK(injections.at_entry(kProgram, call("sendmmsg"), facts) == std::nullopt);
  facts.asked = 4;
  CHECK(injections.at_entry(kProgram, call("sendto"), facts) == CallChange{.bytes = 3});
}

TEST_CASE("of two rules the older acts, and both count") {
  Injections injections;
  injections.add(1, kProgram, {.call = "recv", .delay = 300ms});
  injections.add(2, kProgram, fails("recv", EINTR));
  InjectionRule third = fails("recv", EIO);
  third.nth = 3;
  injections.add(3, kProgram, third);
  CHECK(injections.at_entry(kProgram, call("read"), Facts{}) == CallChange{.delay = 300ms});
  CHECK(error_of(injections, call("read")) == EINTR);
  CHECK(error_of(injections, call("read")) == EIO);
  CHECK(error_of(injections, call("read")) == 0);
}

TEST_CASE("close cannot be changed, and only some calls are about one connection") {
  for (const char* name : {"recv", "send", "poll", "accept", "socket", "connect", "epoll_wait",
                           "recvfrom", "accept4", "shutdown", "listen"})
    CHECK(capture::is_injectable(name));
  for (const char* name : {"close", "dup", "fcntl", "epoll_ctl", "open", ""})
    CHECK_FALSE(capture::is_injectable(name));
  for (const char* name : {"recv", "send", "connect", "recvfrom", "shutdown"})
    CHECK(capture::is_about_connection(name));
  for (const char* name : {"poll", "accept", "socket", "select"})
    CHECK_FALSE(capture::is_about_connection(name));
}
