// Turns a session into a scenario: each line that was typed, followed by expectations of what it
// caused. Values in, text out: no run, no kernel.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "capture/event/event.hh"

namespace tcplab::app {

/// The reply at the end of a turn (session.hh).
struct TurnResult {
  std::string text;
  bool ok = true;
  bool statement = true;  // false if it only showed a value
  std::string error{};
  std::map<std::string, std::string> names{};      // global -> "kang", "kang/dnc"
  std::map<std::string, std::uint64_t> cursors{};  // stream -> last event its expectations used
};

/// An observation that can become an expectation.
struct Sight {
  std::uint64_t event = 0;
  std::string stream;   // the cursor that such an expectation moves (waiter.hh); empty: none
  std::string subject;  // "kang/dnc", "kang"; empty: the lab
  std::string verb;     // `call("read"):returns(0)`
  capture::nanoseconds after{};  // time since the turn began
  std::string connection{};      // of a state; the program that owns it may become known later
};

class SessionRecord {
public:
  void turn_begins(capture::Instant at);
  void event(const capture::Event& event);
  void turn_ends(TurnResult result);
  /// Removes the current turn, an incomplete statement that has not run.
  void forget_turn();

  /// Returns the number of turns that worked.
  std::size_t done() const;
  /// Returns the text of the scenario. `name` is the name of its file: "power-cycle".
  std::string scenario(const std::string& name) const;

private:
  struct Turn {
    capture::Instant at{};
    TurnResult result;
    std::vector<Sight> sights;
    std::set<std::string> powerless;  // hosts that lost power in this turn
    bool on_a_host = false;           // the turn used a verb of power or cables
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
  std::map<std::string, std::string> owners_;  // connection -> "kang/dnc"
};

}  // namespace tcplab::app
