// A file in the Trace Event Format, which ui.perfetto.dev and chrome://tracing open. Its processes
// have threads; a thread is a row of slices and moments. Times are of the run's clock.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.hh"

namespace tcplab::reports {

class TraceFile {
public:
  using Json = nlohmann::ordered_json;
  using Slice = std::size_t;  // its index

  /// Adds a process, and returns its number. They are shown in this order.
  int add_process(const std::string& name, const std::string& label);
  /// Adds a thread of a process, and returns its number. A smaller rank is shown further up.
  int add_thread(int process, const std::string& name, int rank);

  Slice add_slice(int thread, const std::string& name, base::Instant begin, base::Instant end,
                  Json arguments);
  void end_slice(Slice slice, base::Instant end) { slices_[slice].end = end; }
  Json& arguments(Slice slice) { return slices_[slice].arguments; }
  void add_moment(int thread, const std::string& name, base::Instant at, Json arguments);
  /// Adds a value of a curve, which is a row of its process.
  void add_value(int process, const std::string& curve, const std::string& unit, base::Instant at,
                 double value);
  /// Draws an arrow between two slices.
  void add_flow(Slice from, Slice to, const std::string& name);

  /// Returns the file, with times in microseconds since `start`, sorted. Slices of one thread
  /// follow each other, or one is within the other: one that the next would overlap is shortened.
  std::string text(base::Instant start, const Json& about);

private:
  struct Thread {
    int process = 0;
    std::string name;
    int rank = 0;
  };
  struct Process {
    std::string name;
    std::string label;
  };
  struct SliceOfThread {
    int thread = 0;
    std::string name;
    base::Instant begin{};
    base::Instant end{};
    Json arguments;
  };
  struct Moment {
    int thread = 0;
    std::string name;
    base::Instant at{};
    Json arguments;
  };
  struct Value {
    int process = 0;
    std::string curve;
    std::string unit;
    base::Instant at{};
    double value = 0;
  };
  struct Flow {
    Slice from = 0;
    Slice to = 0;
    std::string name;
  };
  struct Line {
    base::Instant at{};
    Json event;
  };

  void remove_overlaps();
  Json names() const;
  std::vector<Line> lines() const;
  Json event(std::string_view phase, int thread, const std::string& name) const;

  std::vector<Process> processes_;
  std::vector<Thread> threads_;
  std::vector<SliceOfThread> slices_;
  std::vector<Moment> moments_;
  std::vector<Value> values_;
  std::vector<Flow> flows_;
};

}  // namespace tcplab::reports
