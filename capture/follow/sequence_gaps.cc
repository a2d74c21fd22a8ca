#include "capture/follow/sequence_gaps.hh"

#include <utility>

#include "capture/follow/sequence_number.hh"

namespace tcplab::capture {

void SequenceGaps::add(std::uint32_t begin, std::uint32_t end) {
  gaps_.push_back({begin, end});
  give_up_oldest();
}

void SequenceGaps::give_up_oldest() {
  if (gaps_.size() <= kMost) return;
  given_up_ += gaps_.front().end - gaps_.front().begin;
  gaps_.erase(gaps_.begin());
}

SequenceGaps::Missing SequenceGaps::missing(std::uint32_t sequence) const {
  Missing missing{.below = given_up_};
  for (const Gap& gap : gaps_) {
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
  for (const Gap& gap : gaps_)
    if (!is_before(sequence, gap.begin) && is_before(sequence, gap.end)) return true;
  return false;
}

std::uint32_t SequenceGaps::fill(std::uint32_t begin, std::uint32_t end) {
  std::uint32_t filled = 0;
  std::vector<Gap> left;
  for (const Gap& gap : gaps_) {
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
  gaps_ = std::move(left);
  give_up_oldest();  // two have come of one
  return filled;
}

}  // namespace tcplab::capture
