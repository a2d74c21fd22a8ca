#include "reports/waits/wait_sums.hh"

#include <algorithm>
#include <functional>

namespace tcplab::reports {

namespace {

bool is_longer(const TraceWait& one, const TraceWait& other) {
  return one.duration() > other.duration();
}

std::string or_unknown(const std::string& connection) {
  return connection.empty() ? "connection not known" : connection;
}

std::vector<WaitSum> by_time(const auto& sums) {
  std::vector<WaitSum> list;
  list.reserve(sums.size());
  for (const auto& [key, sum] : sums) list.push_back({key, sum.time, sum.count});
  std::ranges::stable_sort(list, std::greater{}, &WaitSum::time);
  return list;
}

}  // namespace

WaitSums::WaitSums()
    : other_connections_(text("other connections")), other_stacks_(stack({"[other stacks]"})) {}

void WaitSums::add(const TraceWait& wait) {
  const std::string peer = peer_of(wait);
  const std::string connection = or_unknown(connection_of(wait));
  const WaitOutcome end = end_of(wait);
  const WaitKey key{.program = text(wait.process),
                    .stack = stack(wait.call.stack),
                    .call = text(wait.call.call),
                    .peer = text(peer.empty() ? connection : peer),
                    .connection = text(connection),
                    .end = text(end.text),
                    .end_kind = end.kind};
  Sum& sum = sums_[key];
  sum.time += wait.duration();
  ++sum.count;
  time_ += wait.duration();
  ++count_;
  has_stacks_ = has_stacks_ || !wait.call.stack.empty();
  keep(wait);
}

std::size_t WaitSums::text(const std::string& text) {
  const auto [found, is_new] = text_indices_.try_emplace(text, texts_.size());
  if (is_new) texts_.push_back(text);
  return found->second;
}

std::size_t WaitSums::stack(const std::vector<std::string>& innermost_first) {
  std::vector<std::size_t> frames;
  for (auto frame = innermost_first.rbegin(); frame != innermost_first.rend(); ++frame)
    frames.push_back(text(without_address(*frame)));
  if (frames.empty()) frames.push_back(text("[no stack]"));
  const auto [found, is_new] = stack_indices_.try_emplace(frames, stacks_.size());
  if (is_new) stacks_.push_back(std::move(frames));
  return found->second;
}

void WaitSums::keep(const TraceWait& wait) {
  if (longest_.size() == kListed && !is_longer(wait, longest_.back())) return;
  longest_.insert(std::ranges::upper_bound(longest_, wait, is_longer), wait);
  if (longest_.size() > kListed) longest_.pop_back();
}

/// Changes the keys of all but the `keep` longest sums, and adds up those that are then equal.
void WaitSums::merge(Sums& sums, std::size_t keep, const std::function<void(WaitKey&)>& change) {
  const std::vector<WaitSum> all = by_time(sums);
  sums.clear();
  for (std::size_t index = 0; index < all.size(); ++index) {
    WaitKey key = all[index].key;
    if (index >= keep) change(key);
    Sum& sum = sums[key];
    sum.time += all[index].time;
    sum.count += all[index].count;
  }
}

std::vector<WaitSum> WaitSums::limited(std::size_t most) const {
  Sums sums = sums_;
  if (sums.size() > most)
    merge(sums, most / 2, [this](WaitKey& key) { key.peer = key.connection = other_connections_; });
  if (sums.size() > most)
    merge(sums, most / 2, [this](WaitKey& key) {
      key.peer = key.connection = other_connections_;
      key.stack = other_stacks_;
    });
  return by_time(sums);
}

}  // namespace tcplab::reports
