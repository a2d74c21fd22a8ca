// The terminal of `tcplab run --step`: a growing ladder, a panel below it, and keys that control
// the run. Restores the terminal at the end.
#pragma once

#include <boost/asio/posix/stream_descriptor.hpp>
#include <memory>
#include <optional>
#include <sstream>
#include <string>

#include "app/suite/run_time.hh"
#include "app/suite/suite.hh"
#include "app/terminal/raw_terminal.hh"
#include "reports/ladder/ladder.hh"
#include "reports/ladder/step_panel.hh"
#include "reports/story/knowledge.hh"

namespace tcplab::app {

class StepView : public SuiteObserver {
public:
  explicit StepView(bool verbose);
  ~StepView() override;

  void begins(boost::asio::io_context& loop) override;
  void ends() override;
  void started(std::size_t run, base::Instant at) override;
  void controls(std::size_t run, RunControl& control) override;
  void waits(std::size_t, const std::string& what) override { panel_.waits = what; }
  void event(std::size_t run, const capture::Event& event) override;
  void said(std::size_t run, const RunMessage& message) override;
  void finished(std::size_t run, const reports::RunResult& result) override;
  void state(const std::string& text) override;
  void tick(base::Instant now) override;

private:
  void wait_for_key();
  void take_keys();
  void press(char key);
  void redraw();
  void write_above_panel(const std::string& text);
  std::string erased();
  std::string drawn();
  void give_terminal_back();

  reports::Style style_;
  std::ostringstream ladder_text_;
  reports::Ladder ladder_;
  RunTime time_;
  reports::Knowledge knowledge_;
  reports::StepPanel panel_;
  int panel_lines_ = 0;  // lines of the panel on the screen, above the cursor
  RunControl* control_ = nullptr;
  std::optional<capture::Outcome> end_{};  // what the ladder shows; later, a disk may be full
  std::optional<RawTerminal> terminal_;
  std::optional<boost::asio::posix::stream_descriptor> keys_;
};

/// Throws base::UsageError if standard input and output are not a terminal, or if it is too small.
void need_terminal_for_steps();

}  // namespace tcplab::app
