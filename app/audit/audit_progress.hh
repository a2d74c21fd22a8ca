// Shows the progress of an audit: how many cells are done, and what the others wait for.
#pragma once

#include <map>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "app/suite/suite.hh"

namespace tcplab::app {

class AuditProgress : public SuiteObserver {
public:
  /// `limit`: how long a cell may take after its failure; none if the time of its hosts jumps. On a
  /// terminal, one line is redrawn; else a line is printed each 30 s. The stream and the plans must
  /// outlive the object.
  AuditProgress(const std::vector<RunPlan>& plans, std::optional<base::nanoseconds> limit,
                std::ostream& out, bool is_terminal);

  void started(std::size_t run, base::Instant at) override;
  void waits(std::size_t, const std::string&) override {}
  void event(std::size_t, const capture::Event&) override {}
  void finished(std::size_t run, const reports::RunResult& result) override;
  void state(const std::string& text) override;
  void tick(base::Instant now) override;
  void ends() override;

private:
  std::string line(base::Instant now) const;
  void erase();

  const std::vector<RunPlan>& plans_;
  std::optional<base::nanoseconds> limit_;
  std::ostream& out_;
  bool is_terminal_;
  base::Instant began_ = base::now();
  base::Instant next_line_;
  std::map<std::size_t, base::Instant> running_;  // since when
  std::size_t done_ = 0;
  bool has_line_ = false;  // on the terminal
};

}  // namespace tcplab::app
