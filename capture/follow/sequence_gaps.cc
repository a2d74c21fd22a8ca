#include "capture/follow/sequence_gaps.hh"

#include <utility>

#include "capture/follow/sequence_number.hh"

namespace tcplab::capture {

void SequenceGaps::add(std::uint32_t begin, std::uint32_t end) {
  gaps_.edit().all.push_back({begin, end});
  give_up_oldest();
}

void SequenceGaps::give_up_oldest() {
  if (gaps_->all.size() <= kMost) return;
  Gaps& gaps = gaps_.edit();
  gaps.given_up += gaps.all.front().end - gaps.all.front().begin;
  gaps.all.erase(gaps.all.begin());
}

SequenceGaps::Missing SequenceGaps::missing(std::uint32_t sequence) const {
  Missing missing{.below = gaps_->given_up};
  for (const Gap& gap : gaps_->all) {
    if (is_before(gap.begin, sequence)) {
      missing.below += gap.end - gap.begin;
    } else {
      missing.above += gap.end - gap.begin;
      missing.end = gap.end;
    }
  }
  return missing;
}

bool SequenceGaps::contains(std::uint32_t sequence) const {
  for (const Gap& gap : gaps_->all)
    if (!is_before(sequence, gap.begin) && is_before(sequence, gap.end)) return true;
  return false;
}

std::uint32_t SequenceGaps::fill(std::uint32_t begin, std::uint32_t end) {
  if (gaps_->all.empty()) return 0;
  std::uint32_t filled = 0;
  std::vector<Gap> left;
  for (const Gap& gap : gaps_->all) {
    const std::uint32_t from = is_before(begin, gap.begin) ? gap.begin : begin;
    const std::uint32_t to = is_before(end, gap.end) ? end : gap.end;
    if (!is_before(from, to)) {
      left.push_back(gap);
      continue;
    }
    filled += to - from;
    if (is_before(gap.begin, from)) left.push_back({gap.begin, from});
    if (is_before(to, gap.end)) left.push_back({to, gap.end});
  }
  gaps_.edit().all = std::move(left);
  give_up_oldest();  // two have come of one
  return filled;
}

}  // namespace tcplab::capture
