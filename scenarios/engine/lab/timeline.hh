// The one timeline of a run: numbers events, writes them to events.jsonl as they come, tells
// listeners, and answers for those that have been. The newest are kept in memory; older ones
// are read back from the file, so that a long run does not grow.
#pragma once

#include <deque>
#include <filesystem>
#include <functional>
#include <vector>

#include "capture/event/event.hh"
#include "capture/event/event_log.hh"

namespace tcplab::engine {

class Timeline {
public:
  using Listener = std::function<void(const capture::Event&)>;

  explicit Timeline(std::filesystem::path file, std::size_t keep = 50'000);

  void append(base::Instant at, capture::Body body);
  void listen(Listener listener) { listeners_.push_back(std::move(listener)); }

  /// The number of the newest event; 0 before the first.
  std::uint64_t last() const { return last_; }

  /// Calls `visit` with every event after `number`, in order, until it returns false.
  void visit_after(std::uint64_t number, const std::function<bool(const capture::Event&)>& visit);

  /// The newest `count` events, oldest first.
  std::vector<capture::Event> newest(std::size_t count) const;

  /// Writes out what has not been written yet. Throws base::SystemError (a full disk).
  void flush() { log_.flush(); }

private:
  bool visit_file(std::uint64_t number, const std::function<bool(const capture::Event&)>& visit);

  std::filesystem::path file_;
  std::size_t keep_;
  capture::EventLog log_;
  std::deque<capture::Event> kept_;
  std::vector<Listener> listeners_;
  std::uint64_t last_ = 0;
};

}  // namespace tcplab::engine
