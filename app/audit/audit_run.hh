// Runs an audit: first a baseline without a failure, then a cell for each failure and moment, all
// side by side. Each is a run of the suite with its own folder.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/audit/baseline.hh"
#include "app/suite/suite.hh"

namespace tcplab::app {

struct AuditOrder {
  std::string script{};                         // the file
  std::uint16_t port = 0;                       // the server's; 0: only the script knows it
  std::optional<std::chrono::seconds> limit{};  // of a cell; empty: the script's, or 300 s
  std::vector<std::string> limits{};            // of a run: "output=128M"
  std::optional<std::chrono::seconds>
      ready_within{};                        // of the server; empty: 20 s, or the script's
  std::chrono::seconds baseline_within{10};  // a client that takes longer waits without end
  std::vector<std::string> failures{};       // names; empty for all
  std::vector<std::string> moments{};
  lab::TimerProfile timers = lab::TimerProfile::stock;
  base::Family family = base::Family::ipv4;
  lab::KernelChoice on{};
  std::size_t jobs = 0;  // 0: all cells at once
  bool is_trusted = false;
  std::string client_options{};  // that tcplab sets on its sockets: "TCP_SYNCNT=3 SO_KEEPALIVE=1"
  std::string server_options{};
  std::filesystem::path out{};  // the folder of the runs
};

/// Cells that were not tried, and why.
struct LeftOut {
  std::string moment{};
  std::string why{};
};

struct AuditedRuns {
  std::string title{};
  std::filesystem::path baseline{};            // the folder of its run
  std::vector<std::filesystem::path> cells{};  // the folders of those that have events
  std::vector<LeftOut> left_out{};
  std::vector<std::string> masks{};  // parts of the answer that differ without a failure
  base::nanoseconds limit{};         // how long a cell waits for its client
  SuiteResult suite{};

  /// Whether a signal ended the audit before any cell had ended.
  bool has_none() const { return suite.exit_status > 128 && cells.empty(); }
};

/// Makes what shows the progress of the cells, each of which takes at most `limit`.
using MakeObserver = std::function<std::unique_ptr<SuiteObserver>(const std::vector<RunPlan>& plans,
                                                                  base::nanoseconds limit)>;

/// Returns when all cells have ended, or a signal has ended the audit. Throws base::UsageError if
/// the script is no audit, or if the client or the server does not work even without a failure.
AuditedRuns run_audit(const AuditOrder& order, const MakeObserver& make_observer);

}  // namespace tcplab::app
