// Each row of docs/timeouts.md on kernel hosts, whose time jumps: what ss(8) shows in the middle of
// a wait, and what the program has set, go to the rules of `tcplab look`. What they predict is
// compared with what then happens.
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "look/looked_process.hh"
#include "tests/catch.hh"
#include "tests/look/live/waiting_run.hh"
#include "tests/skip.hh"
#include "tests/workshop.hh"

using namespace tcplab;
using namespace std::chrono_literals;
using audit::WaitEndKind;
using base::nanoseconds;
using look::LookedWait;
using look::tests::Client;
using look::tests::ClientWait;
using look::tests::Sight;
using look::tests::WaitingRun;

namespace {

constexpr nanoseconds kOwnTimeout = 30s;  // SO_RCVTIMEO, SO_SNDTIMEO, and the program's timer
constexpr nanoseconds kUserTimeout = 60s;
constexpr nanoseconds kInterval = 10s;  // of keepalive

/// What happens then.
enum class Then : std::uint8_t {
  in_time,       // ETIMEDOUT, at the predicted time
  own_timeout,   // the call's or the program's timer ends it
  first_probe,   // ECONNRESET, at the predicted time of the next probe
  by_probes,     // ETIMEDOUT, at a probe after TCP_USER_TIMEOUT: only the next probe is predicted
  by_window,     // ETIMEDOUT, without a predicted time
  never,         // nothing ends it, and the prediction says that it may last for ever
  peer_answers,  // nothing ends it: the probes are answered
  over,          // it has ended before
};

struct Expected {
  WaitEndKind kind;
  Then then;
};

using Knobs = std::map<std::string, Expected>;

/// What a row does without an effective setting, and the settings that change it.
struct Row {
  std::string name;
  Expected usual;
  Knobs knobs;
};

const Expected kByUser{WaitEndKind::user_timeout, Then::in_time};

/// A row in which data is not acknowledged.
Row retransmitting(const std::string& name) {
  const Expected own{WaitEndKind::retransmissions, Then::own_timeout};
  return {name,
          {WaitEndKind::retransmissions, Then::in_time},
          {{"user timeout", kByUser},
           {"both", kByUser},
           {"receive timeout", own},
           {"own timer", own},
           {"heartbeat", own}}};
}

/// A row in which everything is acknowledged.
Row quiet(const std::string& name, Expected keepalive, Expected both) {
  const Expected own{WaitEndKind::peer, Then::own_timeout};
  return {name,
          {WaitEndKind::peer, Then::never},
          {{"keepalive", keepalive},
           {"both", both},
           {"receive timeout", own},
           {"own timer", own},
           {"heartbeat", own}}};
}

Row with(Row row, const std::string& knob, Expected expected) {
  row.knobs.insert_or_assign(knob, expected);
  return row;
}

/// The rows of docs/timeouts.md.
std::vector<Row> rows() {
  const Expected own_syn{WaitEndKind::syn, Then::own_timeout};
  const Expected own_window{WaitEndKind::window, Then::own_timeout};
  const Expected by_window{WaitEndKind::window, Then::by_window};
  const Expected answered{WaitEndKind::keepalive, Then::peer_answers};
  const Expected probed{WaitEndKind::keepalive, Then::first_probe};
  const Expected lost_ping{WaitEndKind::retransmissions, Then::own_timeout};
  Row forgotten = retransmitting("forgotten");
  forgotten = with(with(forgotten, "keepalive", answered), "both", answered);
  return {
      {"connect",
       {WaitEndKind::syn, Then::in_time},
       {{"user timeout", kByUser}, {"send timeout", own_syn}, {"own timer", own_syn}}},
      retransmitting("request-lost"),
      with(quiet("waiting", {WaitEndKind::keepalive, Then::in_time},
                 {WaitEndKind::keepalive, Then::by_probes}),
           "heartbeat", lost_ping),
      with(quiet("restarted", probed, probed), "heartbeat", {WaitEndKind::peer, Then::over}),
      quiet("frozen", answered, answered),
      {"zero-window",
       {WaitEndKind::window, Then::never},
       {{"user timeout", by_window},
        {"both", by_window},
        {"receive timeout", own_window},
        {"send timeout", own_window},
        {"own timer", own_window},
        {"heartbeat", own_window}}},
      with(forgotten, "heartbeat", {WaitEndKind::peer, Then::own_timeout}),
  };
}

Expected expected_of(const Row& row, const std::string& knob) {
  const auto found = row.knobs.find(knob);
  return found == row.knobs.end() ? row.usual : found->second;
}

/// What the client has set.
audit::TimeoutOptions options_of(const std::string& knob) {
  audit::TimeoutOptions options{.keepalive = knob == "keepalive" || knob == "both",
                                .idle = 30s,
                                .interval = kInterval,
                                .probes = 3,
                                .user_timeout = 0s,
                                .syn_retries = 0};
  if (knob == "user timeout" || knob == "both") options.user_timeout = kUserTimeout;
  if (knob == "syn count") options.syn_retries = 1;
  return options;
}

bool has_own_timeout(const std::string& knob, const ClientWait& wait) {
  if (wait.call.call == "poll") return true;
  return knob == (wait.call.call == "read" ? "receive timeout" : "send timeout");
}

audit::Awaited awaited_by(const std::string& call) {
  if (call == "connect") return audit::Awaited::handshake;
  return call == "write" ? audit::Awaited::room : audit::Awaited::data;
}

/// The process as `tcplab look` has it: its thread waits in the call, on the connection.
look::LookedProcess process_in(const ClientWait& wait, look::LookedConnection connection) {
  const std::string& knob = wait.client.knob;
  connection.descriptors = {4};
  connection.settings = options_of(knob);
  look::LookedThread thread{.does = look::ThreadDoes::waits,
                            .call = wait.call.call,
                            .descriptors = {4},
                            .awaited = {awaited_by(wait.call.call)}};
  if (has_own_timeout(knob, wait)) thread.own_timeout = kOwnTimeout;
  return {.threads = {thread},
          .connections = {connection},
          .kernel = {.retries2 = wait.host == "krusty" ? 2 : 15, .are_assumed = false}};
}

/// A timer of the kernel may be an eighth late (kernel/time/timer.c): 4 % were measured. ss rounds
/// to a second.
void check_time(base::Instant from, base::Instant actual, nanoseconds predicted) {
  INFO("predicted " << base::describe(predicted) << ", it took " << base::describe(actual - from));
  CHECK(actual - from >= predicted - 1s);
  CHECK(actual - from <= predicted + predicted / 8 + 1s);
}

/// The error of the call; 0 if it returned something else.
int error_of(const ClientWait& wait) { return wait.call.result == -1 ? wait.call.error : 0; }

/// Whether a probe of the client was answered after this moment.
bool is_answered(const WaitingRun& run, const Client& client, base::Instant at) {
  return std::ranges::any_of(run.segments(client), [&](const capture::Packet& packet) {
    return packet.sent > at && packet.source.port == client.port && packet.delivered;
  });
}

void check_never(const ClientWait& wait) { CHECK_FALSE(wait.returned); }

void check_own_timeout(const ClientWait& wait) {
  REQUIRE(wait.returned);
  check_time(wait.entered, *wait.returned, kOwnTimeout);
  const std::map<std::string, int> errors = {
      {"read", EAGAIN}, {"connect", EINPROGRESS}, {"poll", 0}, {"write", 0}};
  CHECK(error_of(wait) == errors.at(wait.call.call));  // write has sent a part
}

void check_timed_out(const ClientWait& wait) {
  REQUIRE(wait.returned);
  CHECK(error_of(wait) == ETIMEDOUT);
}

void check_first_probe(const ClientWait& wait, const LookedWait& predicted, base::Instant at) {
  REQUIRE(wait.returned);
  CHECK(error_of(wait) == ECONNRESET);
  REQUIRE(predicted.end.next_probe);
  check_time(at, *wait.returned, *predicted.end.next_probe);
}

/// With a TCP_USER_TIMEOUT, only the next probe is predicted: an end before it would be wrong.
void check_by_probes(const ClientWait& wait, const LookedWait& predicted, base::Instant at) {
  check_timed_out(wait);
  CHECK_FALSE(predicted.end.within);
  REQUIRE(predicted.end.next_probe);
  CHECK(*wait.returned >= at + *predicted.end.next_probe - 1s);
  CHECK(*wait.returned - wait.entered >= kUserTimeout - 1s);
  CHECK(*wait.returned - wait.entered <= kUserTimeout + kInterval + kUserTimeout / 8 + 1s);
}

void check_what_happened(const WaitingRun& run, const ClientWait& wait, const LookedWait& predicted,
                         base::Instant at, Then then) {
  CHECK(predicted.may_last_for_ever == (then == Then::never));
  switch (then) {
    case Then::in_time:
      check_timed_out(wait);
      REQUIRE(predicted.end.within);
      return check_time(at, *wait.returned, *predicted.end.within);
    case Then::own_timeout:
      return check_own_timeout(wait);
    case Then::first_probe:
      return check_first_probe(wait, predicted, at);
    case Then::by_probes:
      return check_by_probes(wait, predicted, at);
    case Then::by_window:
      CHECK_FALSE(predicted.end.within);
      return check_timed_out(wait);
    case Then::peer_answers:
      CHECK(is_answered(run, wait.client, at));
      return check_never(wait);
    case Then::never:
      CHECK_FALSE(predicted.end.within);
      return check_never(wait);
    case Then::over:
      FAIL("the client still waits");
  }
}

/// Compares prediction and outcome of each client at one moment. Adds the clients that waited.
void check_sight(const WaitingRun& run, const Row& row, const Sight& sight,
                 std::set<std::string>& waited) {
  for (const Client& client : run.clients()) {
    const ClientWait* wait = run.wait_of(client, sight.at);
    const look::LookedConnection* connection = sight.connection_of(client);
    if (wait == nullptr || wait->host != sight.host) continue;
    INFO(row.name << ", " << client.knob << ", in " << wait->call.call);
    REQUIRE(connection != nullptr);
    waited.insert(client.knob);
    const look::LookedProcess process = process_in(*wait, *connection);
    const std::vector<LookedWait> predicted = look::waits_of(process);
    REQUIRE(predicted.size() == 1);
    const Expected expected = expected_of(row, client.knob);
    CHECK(predicted[0].end.kind == expected.kind);
    check_what_happened(run, *wait, predicted[0], sight.at, expected.then);
  }
}

/// The firewall that the wire stands for forgets what is idle for 100 s.
void check_idle_times(const WaitingRun& run) {
  for (const Client& client : run.clients()) {
    nanoseconds longest{};
    std::optional<base::Instant> last;
    for (const capture::Packet& packet : run.segments(client)) {
      const bool is_request = packet.fate == capture::Fate::lost;
      if (last) longest = std::max(longest, packet.sent - *last);
      last = packet.sent;
      if (is_request) break;
    }
    const bool keeps =
        client.knob == "keepalive" || client.knob == "both" || client.knob == "heartbeat";
    INFO(client.knob);
    CHECK((longest < 100s) == keeps);
  }
}

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  REQUIRE(value != nullptr);
  return value;
}

}  // namespace

TEST_CASE("what a kernel knows in each row of docs/timeouts.md predicts what then happens") {
  SKIP_IF(tests::no_program("linux.uml"));
  SKIP_IF(tests::no_program("ss"));
  const tests::TemporaryFolder folder;
  const std::string command =
      environment("TCPLAB_RELEASE_BIN") + "/tcplab run " + environment("TCPLAB_SOURCE") +
      "/tests/look/live/timeout_rows.lua --kernel 6.1 --timers stock --limit seconds=1500"
      " --family 4 --out " +
      folder.path().string() + " > " + (folder.path() / "said").string() + " 2>&1";
  const int status = std::system(command.c_str());
  std::ifstream said(folder.path() / "said");
  INFO(std::string(std::istreambuf_iterator<char>(said), {}));
  REQUIRE(status == 0);
  for (const Row& row : rows()) {
    const WaitingRun run(folder.path() / ("timeout_rows-" + row.name + "-ipv4") / "events.jsonl");
    REQUIRE(run.sights().size() == 4);  // of two hosts, twice
    const std::size_t usual = 9;
    CHECK(run.clients().size() == (row.name == "connect"       ? usual - 1
                                   : row.name == "zero-window" ? usual + 1
                                                               : usual));
    for (const auto& [knob, expected] : row.knobs)
      CHECK(std::ranges::count(run.clients(), knob, &Client::knob) == 1);
    std::set<std::string> waited;
    for (const Sight& sight : run.sights()) check_sight(run, row, sight, waited);
    for (const Client& client : run.clients()) {
      INFO(row.name << ", " << client.knob);
      CHECK(waited.contains(client.knob) == (expected_of(row, client.knob).then != Then::over));
    }
    if (row.name == "forgotten") check_idle_times(run);
  }
}
