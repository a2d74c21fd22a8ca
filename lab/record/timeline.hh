// The timeline of a run: numbers events, writes them to events.jsonl as they come, and calls
// listeners. It keeps the newest events in memory and reads older ones back from the file, so that
// a long run needs no more memory.
#pragma once

#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <vector>

#include "capture/event/event.hh"
#include "capture/event/event_log.hh"
#include "lab/machine/run_limits.hh"
#include "lab/watch/connection_key.hh"

namespace tcplab::lab {

class Timeline {
public:
  using Listener = std::function<void(const capture::Event&)>;

  explicit Timeline(std::filesystem::path file, std::size_t keep = 50'000);
  /// Counts every event from here on; the budget lives longer.
  void limit(Budget& budget) { budget_ = &budget; }

  void append(base::Instant at, capture::Body body);
  void listen(Listener listener) { listeners_.push_back(std::move(listener)); }

  /// Returns the number of the newest event; 0 before the first.
  std::uint64_t last() const { return last_; }

  /// Calls `visit` with every event after `number`, in order, until it returns false.
  void visit_after(std::uint64_t number, const std::function<bool(const capture::Event&)>& visit);

  /// Calls `visit` with every State and Kernel event after `number` about one connection, in order,
  /// until it returns false. Its cost does not depend on the number of other events in memory.
  void visit_about(const ConnectionKey& connection, std::uint64_t number,
                   const std::function<bool(const capture::Event&)>& visit);

  /// Returns the newest `count` events that a ladder shows, oldest first: all but Sending.
  std::vector<capture::Event> newest(std::size_t count) const;

  /// Writes the rest to the file. Throws base::SystemError, for example if the disk is full.
  void flush() { log_.flush(); }

private:
  void note_connection(const capture::Event& event);
  bool visit_file(std::uint64_t number, const std::function<bool(const capture::Event&)>& visit);

  std::filesystem::path file_;
  std::size_t keep_;
  capture::EventLog log_;
  std::deque<capture::Event> kept_;
  std::map<ConnectionKey, std::vector<std::uint64_t>> about_;  // numbers of State, Kernel events
  std::vector<Listener> listeners_;
  std::uint64_t last_ = 0;
  Budget* budget_ = nullptr;
};

}  // namespace tcplab::lab
