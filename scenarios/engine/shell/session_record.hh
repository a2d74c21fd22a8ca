// What was done in a session, and what was seen of it, as a scenario: each line that was typed, and
// after it what came of it as expectations. Values in, text out: no run, no kernel.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "capture/event/event.hh"

namespace tcplab::engine {

/// What the run says when a turn is over (session.hh).
struct TurnResult {
  std::string text;
  bool ok = true;
  bool statement = true;  // else it only showed a value
  std::string error{};
  std::map<std::string, std::string> names{};      // global -> "kang", "kang/dnc"
  std::map<std::string, std::uint64_t> cursors{};  // where its own expectations have come to
};

/// Something that was seen and could be expected.
struct Sight {
  std::uint64_t event = 0;
  std::string stream;   // the cursor that such an expectation moves (waiter.hh); empty: none
  std::string subject;  // "kang/dnc", "kang"; empty: the lab
  std::string verb;     // `call("read"):returns(0)`
  capture::nanoseconds after{};  // the turn was typed
  std::string connection{};      // state: of which; its program may be told later
};

class SessionRecord {
public:
  void turn_begins(capture::Instant at);
  void event(const capture::Event& event);
  void turn_ends(TurnResult result);
  /// It was no whole statement: it has done nothing.
  void forget_turn();

  /// How many lines there are that have done something.
  std::size_t done() const;
  /// `name` is the file's: "power-cycle".
  std::string scenario(const std::string& name) const;

private:
  struct Turn {
    capture::Instant at{};
    TurnResult result;
    std::vector<Sight> sights;
    std::set<std::string> powerless;  // hosts that lost their power in it
    bool on_a_host = false;           // a verb of power or cable
  };
  void see(const capture::Event& event, const capture::Call& call);
  void see(const capture::Event& event, const capture::State& state);
  void see(const capture::Event& event, const capture::Program& program);
  void see(const capture::Event& event, const capture::Packet& packet);
  void see(const capture::Event& event, const capture::Action& action);
  template <typename Other>
  void see(const capture::Event& /*event*/, const Other& /*other*/) {}
  void add(Sight sight);
  void give_to(const std::string& connection, const std::string& subject);

  std::vector<std::string> lines_of_turn(std::size_t turn, std::set<std::string>& locals) const;
  std::vector<std::string> expectations_after(std::size_t turn) const;
  std::size_t place_of(const Sight& sight, std::size_t turn) const;
  std::string expectation(const Sight& sight,
                          const std::map<std::string, std::string>& names) const;
  std::vector<std::string> silences(std::size_t turn) const;
  bool was_mentioned(const std::string& name, std::size_t before) const;

  std::vector<Turn> turns_;
  std::map<std::string, std::string> owners_;  // of connections: "kang/dnc"
};

}  // namespace tcplab::engine
