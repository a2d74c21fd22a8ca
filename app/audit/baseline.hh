// What an audit learns from a run without a failure: the right answer, how long it takes, which
// segment is the request, and whether the commands make sense at all.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "capture/event/event.hh"

namespace tcplab::app {

struct Baseline {
  bool ends = false;     // the client ended; else it still waited when the run was over
  int status = 0;        // its exit status
  std::string answer{};  // what it wrote on standard output
  std::optional<capture::AuditReaction> reaction{};  // to the command of --after
  bool is_masked = false;                            // the answer is an OutputTemplate
  base::nanoseconds limit{};                         // how long a cell waits for its client
  base::nanoseconds duration{};                      // from its start to its end
  base::nanoseconds connection_duration{};           // from its first segment to its end
  bool has_request = false;                          // it has sent data
  int request = 1;            // the number of the client's data segment before its longest wait
  bool answers_late = false;  // a pause before the answer, or no answer: the server is seen to wait
  bool is_acknowledged_first = false;  // the request's acknowledgment came before the answer
  bool is_read_first = false;          // the server read data after the request, before the answer
  // Moments, as the bytes that one end has sent by then. Segments would be a worse measure: on a
  // busy machine, one carries what two carried in the baseline.
  std::uint64_t request_bytes = 1;   // the client, with almost all of its request
  std::uint64_t transfer_bytes = 0;  // to the middle of the largest transfer; 0: it is too short
  bool transfer_to_client = true;
  /// The server, with almost all of what came before the longest pause between requests; 0: there
  /// is none.
  std::uint64_t idle_bytes = 0;
};

/// Measures a run without a failure.
Baseline measure(const std::vector<capture::Event>& events);

/// Returns what the cells ask for by lab:parameter.
std::map<std::string, std::string> parameters_of(const Baseline& baseline);

/// Returns why no cell can have this moment, or an empty text.
std::string obstacle_to(const std::string& moment, const Baseline& baseline);

}  // namespace tcplab::app
