#include "reports/diff/difference.hh"

#include <algorithm>
#include <fmt/format.h>
#include <ostream>
#include <set>

#include "reports/text/frame_text.hh"
#include "reports/text/hanging.hh"
#include "reports/text/styled_text.hh"

namespace tcplab::reports {

namespace {

constexpr std::size_t kMostCells = std::size_t{16} << 20;  // of the table below, 2 bytes each
constexpr std::size_t kContext = 2;                        // lines shown around a change

using Lines = std::vector<std::string>;
using Kind = Edit::Kind;

/// The part of two lists between their equal beginnings and their equal ends.
struct Middle {
  Middle(const Lines& one, const Lines& other) : one_end(one.size()), other_end(other.size()) {
    while (begin < std::min(one_end, other_end) && one[begin] == other[begin]) ++begin;
    while (std::min(one_end, other_end) > begin && one[one_end - 1] == other[other_end - 1]) {
      --one_end;
      --other_end;
    }
  }
  std::size_t begin = 0;
  std::size_t one_end;
  std::size_t other_end;
};

/// The length of the longest common subsequence of the rest of the middle, for each pair of
/// positions.
class CommonLengths {
public:
  CommonLengths(const Lines& one, const Lines& other, const Middle& middle)
      : begin_(middle.begin),
        columns_(middle.other_end - begin_ + 1),
        cells_((middle.one_end - begin_ + 1) * columns_) {
    for (std::size_t i = middle.one_end; i-- > begin_;)
      for (std::size_t j = middle.other_end; j-- > begin_;)
        at(i, j) = static_cast<std::uint16_t>(
            one[i] == other[j] ? at(i + 1, j + 1) + 1 : std::max(at(i + 1, j), at(i, j + 1)));
  }
  std::uint16_t& at(std::size_t i, std::size_t j) {
    return cells_[(i - begin_) * columns_ + j - begin_];
  }

private:
  std::size_t begin_;
  std::size_t columns_;
  std::vector<std::uint16_t> cells_;
};

/// Finds the steps that are differences. Lines after a run's last verdict are none. Lines that one
/// run has in addition at its end are a difference only if they were settled before.
class Differences {
public:
  Differences(const BehaviourLines& one, const BehaviourLines& other, std::vector<Edit> steps)
      : one_(one), other_(other), steps_(std::move(steps)), is_more_(steps_.size()) {
    std::size_t last_same = steps_.size();
    while (last_same > 0 && steps_[last_same - 1].kind != Kind::same) --last_same;
    std::size_t replaced[2] = {};  // behind the last same one: of each run
    for (std::size_t i = last_same; i < steps_.size(); ++i) ++replaced[index(steps_[i])];
    const std::size_t least = std::min(replaced[0], replaced[1]);
    std::size_t seen[2] = {};
    for (std::size_t i = last_same; i < steps_.size(); ++i)
      is_more_[i] = seen[index(steps_[i])]++ >= least;
    if (last_same > 0 && least == 0) is_more_[last_same - 1] = true;
  }

  const std::vector<Edit>& steps() const { return steps_; }

  bool holds(std::size_t step) const {
    const Edit& edit = steps_[step];
    const bool is_at_end = is_more_[step];
    switch (edit.kind) {
      case Kind::removed:
        return one_.times(edit.one, is_at_end ? one_.settled : one_.sure) > 0;
      case Kind::added:
        return other_.times(edit.other, is_at_end ? other_.settled : other_.sure) > 0;
      case Kind::same:
        break;
    }
    return exceeds(one_, edit.one, other_.counts[edit.other], is_at_end) ||
           exceeds(other_, edit.other, one_.counts[edit.one], is_at_end);
  }

private:
  static std::size_t index(const Edit& edit) { return edit.kind == Kind::removed ? 0 : 1; }
  static bool exceeds(const BehaviourLines& lines, std::size_t line, std::uint64_t others,
                      bool is_at_end) {
    return lines.times(line, is_at_end ? lines.settled : lines.sure) > others;
  }

  const BehaviourLines& one_;
  const BehaviourLines& other_;
  std::vector<Edit> steps_;
  std::vector<bool> is_more_;  // at the end, in addition to the other run's
};

std::string run_text(const Behaviour& run) {
  const char* family = run.run().family == base::Family::ipv4 ? "IPv4" : "IPv6";
  const std::string outcome = run.end() ? outcome_word(run.end()->outcome).text() : "cut off";
  return fmt::format("{} ({}, {} timers, Linux {}): {}", run.run().scenario, family,
                     run.run().timers, run.run().kernel, outcome);
}

/// Finds the difference of one list.
class ListComparison {
public:
  ListComparison(const BehaviourLines& one, const BehaviourLines& other)
      : one_(one), other_(other) {}

  std::vector<DifferenceLine> lines() {
    auto found = edits(one_.lines, other_.lines);
    if (!found) {
      add(LineKind::unknown, fmt::format("they differ; {} and {} lines are too many to say where",
                                         one_.lines.size(), other_.lines.size()));
      return std::move(lines_);
    }
    const Differences differences(one_, other_, *std::move(found));
    fill(differences);
    if (has_a_line_twice()) {
      lines_.clear();
      in_words_ = false;
      fill(differences);
    }
    return std::move(lines_);
  }

private:
  using LineKind = DifferenceLine::Kind;

  void fill(const Differences& differences) {
    const std::vector<bool> shown = shown_steps(differences);
    for (std::size_t i = 0; i < shown.size(); ++i) {
      if (shown[i])
        add(differences.steps()[i], differences.holds(i));
      else if (i > 0 && shown[i - 1])
        add(LineKind::gap, "...");
    }
  }

  /// Whether both runs have a line in the same words, but the lines differ.
  bool has_a_line_twice() const {
    return std::ranges::any_of(lines_, [this](const DifferenceLine& removed) {
      return removed.kind == LineKind::removed &&
             std::ranges::any_of(lines_, [&removed](const DifferenceLine& added) {
               return added.kind == LineKind::added && added.text == removed.text;
             });
    });
  }

  std::string text(const BehaviourLines& run, std::size_t line) const {
    return in_words_ ? run.in_words(line) : run.text(line);
  }

  /// The steps that differ, and those around them.
  static std::vector<bool> shown_steps(const Differences& differences) {
    const std::size_t count = differences.steps().size();
    std::vector<bool> shown(count);
    for (std::size_t i = 0; i < count; ++i) {
      if (!differences.holds(i)) continue;
      const std::size_t first = i < kContext ? 0 : i - kContext;
      for (std::size_t j = first; j < std::min(count, i + kContext + 1); ++j) shown[j] = true;
    }
    return shown;
  }

  void add(LineKind kind, std::string text) { lines_.push_back({kind, std::move(text)}); }

  void add(const Edit& edit, bool differs) {
    if (!differs && edit.kind != Kind::same) return;
    if (!differs) return add(LineKind::same, text(one_, edit.one));
    if (edit.kind != Kind::added) add(LineKind::removed, text(one_, edit.one));
    if (edit.kind != Kind::removed) add(LineKind::added, text(other_, edit.other));
  }

  const BehaviourLines& one_;
  const BehaviourLines& other_;
  std::vector<DifferenceLine> lines_;
  bool in_words_ = true;
};

class Teller {
public:
  Teller(std::ostream& out, const Style& style) : out_(out), style_(style) {}

  void tell(const ListDifference& list) {
    out_ << "\n";
    put(StyledText(list.title, Paint::strong));
    for (const DifferenceLine& line : list.lines) tell(line);
  }

  void put(const StyledText& line) { out_ << render(line, style_) << "\n"; }
  void put(std::string_view lead, const std::string& text, Paint paint) {
    write_hanging(out_, lead, text, paint, style_);
  }

private:
  void tell(const DifferenceLine& line) {
    switch (line.kind) {
      case DifferenceLine::Kind::same:
        return put("      ", line.text, Paint::dim);
      case DifferenceLine::Kind::removed:
        return put("  -   ", line.text, Paint::bad);
      case DifferenceLine::Kind::added:
        return put("  +   ", line.text, Paint::good);
      case DifferenceLine::Kind::unknown:
        return put("  ?   ", line.text, Paint::bad);
      case DifferenceLine::Kind::gap:
        return put(StyledText("      " + line.text, Paint::dim));
    }
  }

  std::ostream& out_;
  Style style_;
};

}  // namespace

std::optional<std::vector<Edit>> edits(const Lines& one, const Lines& other) {
  const Middle middle(one, other);
  if ((middle.one_end - middle.begin + 1) * (middle.other_end - middle.begin + 1) > kMostCells)
    return std::nullopt;
  CommonLengths common(one, other, middle);
  std::vector<Edit> found;
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < one.size() || j < other.size()) {
    const bool one_has = i < middle.one_end;
    const bool other_has = j < middle.other_end;
    if (one_has == other_has && one[i] == other[j])
      found.push_back({Kind::same, i++, j++});
    else if (one_has && (!other_has || common.at(i + 1, j) >= common.at(i, j + 1)))
      found.push_back({Kind::removed, i++, j});
    else
      found.push_back({Kind::added, i, j++});
  }
  return found;
}

Difference find_difference(const Behaviour& one, const Behaviour& other) {
  Difference difference;
  std::set<std::string> titles;
  for (const auto* run : {&one, &other})
    for (const auto& [title, lines] : run->lines()) titles.insert(title);
  const auto of = [](const Behaviour& run, const std::string& title) {
    const auto found = run.lines().find(title);
    return found == run.lines().end() ? BehaviourLines{} : found->second;
  };
  for (const std::string& title : titles) {
    const BehaviourLines before = of(one, title);
    const BehaviourLines after = of(other, title);
    if (auto lines = ListComparison(before, after).lines(); !lines.empty())
      difference.lists.push_back({title, std::move(lines)});
    if (before.is_cut || after.is_cut)
      difference.notes.push_back(fmt::format("Only the first {1} lines of the {0} are compared.",
                                             title,
                                             std::max(before.lines.size(), after.lines.size())));
  }
  difference.is_one_cut_off = one.end().has_value() != other.end().has_value();
  return difference;
}

void write_difference(std::ostream& out, const Style& style, const Behaviour& one,
                      const Behaviour& other, const Difference& difference) {
  Teller teller(out, style);
  teller.put("- ", run_text(one), Paint::bad);
  teller.put("+ ", run_text(other), Paint::good);
  for (const ListDifference& list : difference.lists) teller.tell(list);
  for (const std::string& note : difference.notes) teller.put("", note, Paint::dim);
  if (difference.is_one_cut_off)
    teller.put("  ?   ", "One of the runs was cut off: the rest of its behaviour is unknown.",
               Paint::bad);
  if (difference.is_none())
    teller.put("", "Both behave alike: the same calls, states, frames and verdicts.", Paint::plain);
}

}  // namespace tcplab::reports
