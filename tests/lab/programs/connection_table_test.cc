#include "lab/programs/connection_table.hh"

#include "capture/event/event_words.hh"
#include "tests/catch.hh"
#include "tests/samples.hh"
#include "tests/workshop.hh"

using namespace tcplab;
using namespace tcplab::lab;
using capture::TcpState;
using tests::kKangsEnd;
using tests::kKodosEnd;
using tests::kListener;
using tests::socket_of;

namespace {

/// kodos's table, and the changes that it puts on the timeline, as "LISTEN -> SYN_RECV (frame 1)".
class Kodos {
public:
  void sees(const ConnectionKey& key, TcpState state, std::uint32_t inode = 0) {
    table.observe(key, socket_of(key, state, inode), at(), {capture::StateCause::frame, ++frame_});
  }
  void sees_nothing_of(const ConnectionKey& key) {
    table.observe(key, std::nullopt, at(), {capture::StateCause::destroyed});
  }

  using Changes = std::vector<std::string>;

  Changes changes() {
    Changes all;
    timeline_.visit_after(0, [&](const capture::Event& event) {
      const auto& state = std::get<capture::State>(event.body);
      CHECK(state.host == "kodos");
      all.push_back(std::string(name(state.from)) + " -> " + std::string(name(state.to)) + " (" +
                    std::string(word(state.cause)) +
                    (state.frame == 0 ? "" : " " + std::to_string(state.frame)) + ")");
      return true;
    });
    return all;
  }

  static base::Instant at() { return base::from_nanoseconds(1000); }

private:
  tests::TemporaryFolder folder_;
  Timeline timeline_{folder_.path() / "events.jsonl"};
  std::uint64_t frame_ = 0;

public:
  ConnectionTable table{"kodos", timeline_};
};

}  // namespace

TEST_CASE("every change of state is on the timeline, with its cause") {
  Kodos kodos;
  kodos.sees(kKodosEnd, TcpState::established);
  kodos.sees(kKodosEnd, TcpState::close_wait);
  kodos.sees(kKodosEnd, TcpState::last_ack);
  kodos.sees_nothing_of(kKodosEnd);
  CHECK(kodos.changes() ==
        Kodos::Changes{"CLOSED -> ESTABLISHED (frame 1)", "ESTABLISHED -> CLOSE_WAIT (frame 2)",
                       "CLOSE_WAIT -> LAST_ACK (frame 3)", "LAST_ACK -> CLOSED (destroyed)"});
}

TEST_CASE("a state that stays the same is not a change") {
  Kodos kodos;
  kodos.sees(kKodosEnd, TcpState::established);
  kodos.sees(kKodosEnd, TcpState::established);
  kodos.sees_nothing_of(kKangsEnd);
  CHECK(kodos.changes().size() == 1);
}

TEST_CASE("a passive open starts in LISTEN, as in RFC 9293") {
  Kodos kodos;
  kodos.sees(kListener, TcpState::listen);
  kodos.sees(kKodosEnd, TcpState::syn_recv);
  CHECK(kodos.changes() ==
        Kodos::Changes{"CLOSED -> LISTEN (frame 1)", "LISTEN -> SYN_RECV (frame 2)"});
}

TEST_CASE("SYN_RECV without a listener on that port does not come from LISTEN") {
  Kodos kodos;
  const ConnectionKey other_port = {tests::endpoint("0.0.0.0:8081"), tests::endpoint("0.0.0.0:0")};
  kodos.sees(other_port, TcpState::listen);
  kodos.sees(kKodosEnd, TcpState::syn_sent);
  kodos.sees(kKodosEnd, TcpState::syn_recv);  // a simultaneous open, section 3.5
  CHECK(kodos.changes() == Kodos::Changes{"CLOSED -> LISTEN (frame 1)",
                                          "CLOSED -> SYN_SENT (frame 2)",
                                          "SYN_SENT -> SYN_RECV (frame 3)"});
}

TEST_CASE("a socket in state CLOSE is not a connection") {
  Kodos kodos;
  kodos.sees(kKodosEnd, TcpState::close);
  CHECK(kodos.changes().empty());
  kodos.sees(kKodosEnd, TcpState::established);
  kodos.sees(kKodosEnd, TcpState::close);
  CHECK(kodos.changes().back() == "ESTABLISHED -> CLOSED (frame 3)");
  CHECK(kodos.table.keys().empty());
}

TEST_CASE("a connection that is missing in a full dump of the kernel's table is gone") {
  Kodos kodos;
  kodos.sees(kListener, TcpState::listen);
  kodos.sees(kKodosEnd, TcpState::fin_wait2);
  kodos.table.observe_all({socket_of(kListener, TcpState::listen)}, Kodos::at(),
                          {capture::StateCause::poll});
  CHECK(kodos.changes().back() == "FIN_WAIT2 -> CLOSED (poll)");
  CHECK(kodos.table.state(kListener) == TcpState::listen);
  CHECK(kodos.table.connection_count() == 0);
}

TEST_CASE("a host that loses power loses its connections, with power as the cause") {
  Kodos kodos;
  kodos.sees(kListener, TcpState::listen);
  kodos.sees(kKodosEnd, TcpState::established);
  kodos.table.forget_all(Kodos::at());
  const auto changes = kodos.changes();
  REQUIRE(changes.size() == 4);
  CHECK(changes[2] == "LISTEN -> CLOSED (power)");
  CHECK(changes[3] == "ESTABLISHED -> CLOSED (power)");
  CHECK(kodos.table.keys().empty());
}

TEST_CASE("the table returns states, counts and keys") {
  Kodos kodos;
  CHECK(kodos.table.state(kKodosEnd) == TcpState::closed);
  kodos.sees(kListener, TcpState::listen);
  kodos.sees(kKodosEnd, TcpState::established);
  CHECK(kodos.table.state(kKodosEnd) == TcpState::established);
  CHECK(kodos.table.connection_count() == 1);
  CHECK(kodos.table.keys().size() == 2);
}

TEST_CASE("a new owner of a connection is reported once") {
  Kodos kodos;
  std::vector<std::uint32_t> inodes;
  kodos.table.on_owner = [&](const ConnectionKey& key, std::uint32_t inode) {
    CHECK(key == kKodosEnd);
    inodes.push_back(inode);
  };
  kodos.sees(kKodosEnd, TcpState::syn_recv);         // no process owns it yet
  kodos.sees(kKodosEnd, TcpState::established, 0);   // nor before accept(2)
  kodos.sees(kKodosEnd, TcpState::established, 71);  // accepted
  kodos.sees(kKodosEnd, TcpState::close_wait, 71);
  kodos.sees(kKodosEnd, TcpState::last_ack, 0);  // an orphan
  CHECK(inodes == std::vector<std::uint32_t>{71});
}

TEST_CASE("how a connection sends is on the timeline once for each change") {
  tests::TemporaryFolder folder;
  Timeline timeline(folder.path() / "events.jsonl");
  ConnectionTable table("kodos", timeline);
  const base::Instant at = Kodos::at();
  capture::SendingInfo info{.rto = std::chrono::milliseconds(204), .cwnd = 10, .mss = 1448};
  const auto recorded = [&timeline] {
    std::vector<capture::Sending> all;
    timeline.visit_after(0, [&all](const capture::Event& event) {
      if (const auto* sending = std::get_if<capture::Sending>(&event.body)) all.push_back(*sending);
      return true;
    });
    return all;
  };
  table.note_sending(kKodosEnd, info, at, 1);
  CHECK(recorded().empty());  // an unknown connection
  table.observe(kKodosEnd, socket_of(kKodosEnd, TcpState::established), at, {});
  table.note_sending(kKodosEnd, info, at, 1);
  table.note_sending(kKodosEnd, info, at, 2);
  info.not_sent = 500;  // no plot shows it
  table.note_sending(kKodosEnd, info, at, 3);
  info.cwnd = 1;
  table.note_sending(kKodosEnd, info, at, 4);
  const std::vector<capture::Sending> all = recorded();
  REQUIRE(all.size() == 2);
  CHECK(all[0].frame == 1);
  CHECK(all[0].info.cwnd == 10);
  CHECK(all[1].frame == 4);
  CHECK(all[1].info.cwnd == 1);
  CHECK(timeline.newest(1).front().body.index() == capture::Body(capture::State{}).index());
}

TEST_CASE("a dump with as many connections as before replaces the one that is gone") {
  Kodos kodos;
  kodos.sees(kListener, TcpState::listen);
  kodos.sees(kKodosEnd, TcpState::established);
  kodos.table.observe_all(
      {socket_of(kListener, TcpState::listen), socket_of(kKangsEnd, TcpState::established)},
      Kodos::at(), {capture::StateCause::poll});
  CHECK(kodos.table.state(kKodosEnd) == TcpState::closed);
  CHECK(kodos.table.state(kKangsEnd) == TcpState::established);
  CHECK(kodos.table.connection_count() == 1);
}

TEST_CASE("the listeners alone say nothing about connections") {
  Kodos kodos;
  kodos.sees(kListener, TcpState::listen);
  kodos.sees(kKodosEnd, TcpState::established);
  kodos.table.observe_listeners({}, Kodos::at(), {capture::StateCause::poll});
  CHECK(kodos.table.state(kListener) == TcpState::closed);
  CHECK(kodos.table.state(kKodosEnd) == TcpState::established);
  kodos.table.observe_listeners({socket_of(kListener, TcpState::listen)}, Kodos::at(),
                                {capture::StateCause::poll});
  CHECK(kodos.table.state(kListener) == TcpState::listen);
}
