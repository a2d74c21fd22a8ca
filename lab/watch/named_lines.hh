// Adds the names of stacks to the lines about failing calls. A thread finds the names, while the
// watcher goes on. Lines keep their order, so a line that follows a stack waits for its names.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "capture/calls/tracer.hh"
#include "capture/stacks/naming_thread.hh"

namespace tcplab::lab {

struct NamedLine {
  capture::TracedProgram program = 0;
  std::string text;      // with its line feed
  bool is_last = false;  // of its program
  bool is_end = false;   // of a thread: a full pipe takes it, too
};

class NamedLines {
public:
  /// `is_ready` runs in another thread when lines wait for take().
  explicit NamedLines(std::function<void()> is_ready) : naming_(std::move(is_ready)) {}

  /// Adds an event. A call with a stack gets the names of its frames.
  void add(capture::TracedProgram program, capture::Event event,
           std::optional<capture::ProgramStack> stack = {});
  void add(NamedLine line);

  /// Returns false while 1,000 stacks wait for their names: 64 MB. Then a call goes without.
  bool has_room() const { return waiting_ < kMostWaiting; }

  /// Returns the lines that are ready, in order.
  std::vector<NamedLine> take();

  /// Waits until all lines are ready.
  void wait() { naming_.wait(); }

private:
  static constexpr std::size_t kMostWaiting = 1000;

  void put(NamedLine line);

  std::mutex mutex_;
  std::vector<NamedLine> ready_;
  std::atomic<std::size_t> waiting_ = 0;  // stacks
  capture::NamingThread naming_;          // last: its thread uses the others
};

}  // namespace tcplab::lab
