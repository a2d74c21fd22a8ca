// The text above and below a ladder: the question and the conditions, the outcome and the
// explanation.
#pragma once

#include <string>
#include <vector>

#include "capture/event/event.hh"
#include "reports/text/styled_text.hh"

namespace tcplab::reports {

/// Title, question, conditions.
std::vector<StyledText> header_lines(const capture::RunStart& run, const Style& style);

struct Tally {
  int passed = 0;
  int failed = 0;
  int unchecked = 0;
  /// Counts verdicts, and expectations that were not checked.
  void count(const capture::Event& event);
};

/// "✓ passed in 1.2 s: 7 expectations met".
std::vector<StyledText> outcome_lines(const capture::RunEnd& end, const Tally& tally,
                                      const Style& style);

/// What the article saw, what this kernel does, why.
std::vector<StyledText> explanation_lines(const capture::RunStart& run, const Style& style);

/// "IPv4 · fast timers · Linux 6.18.5".
std::string conditions(const capture::RunStart& run);

/// Returns what is unusual about the machine of a run; empty if nothing is.
std::string text_about_machine(const capture::RunStart& run);

/// A word in its colour: passed, failed, skipped, broken.
StyledText outcome_word(capture::Outcome outcome);

}  // namespace tcplab::reports
