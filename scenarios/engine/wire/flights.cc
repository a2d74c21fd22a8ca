#include "scenarios/engine/wire/flights.hh"

#include <algorithm>

namespace tcplab::engine {

namespace {

/// True when that fault has held it, and no other does.
bool let_go(Flight& flight, const Fault& fault) {
  return std::erase(flight.holders, &fault) > 0 && flight.holders.empty();
}

}  // namespace

std::uint64_t Flights::hold_another(const netns::Frame& like) {
  return wire_->hold_another(like.from, like.sent, like.bytes);
}

const Flight* Flights::find(std::uint64_t frame) const {
  const auto found = flights_.find(frame);
  return found == flights_.end() ? nullptr : &found->second;
}

void Flights::depart(std::uint64_t frame) {
  const auto found = flights_.find(frame);
  if (found == flights_.end() || !found->second.holders.empty()) return;
  fly(frame, found->second.sent, found->second.delay);
}

void Flights::depart_after(const Follower& follower, std::uint64_t other) {
  const auto found = flights_.find(follower.frame);
  if (found == flights_.end() || !let_go(found->second, *follower.holder)) return;
  const Flight* before = find(other);
  const bool is_on_its_way = before != nullptr && before->holders.empty();
  fly(follower.frame, is_on_its_way ? before->sent : clock_.now(),
      std::max(found->second.delay, is_on_its_way ? before->delay : base::nanoseconds{}));
}

/// Without a delay it lands now; with one it keeps its place behind those that left before it,
/// even when its time has come already.
void Flights::fly(std::uint64_t frame, base::Instant from, base::nanoseconds delay) {
  if (delay.count() == 0) return land(frame);
  air_.start(frame, from + delay);
}

void Flights::land(std::uint64_t frame) {
  if (!gate || !gate(frame)) arrive(frame);
}

void Flights::arrive(std::uint64_t frame) {
  wire_->release(frame);  // it may have been delivered as it came, or be gone with its sender
  flights_.erase(frame);
}

void Flights::release(const Fault& fault) {
  std::vector<std::uint64_t> held;
  for (auto& [number, flight] : flights_) {
    if (let_go(flight, fault)) held.push_back(number);
  }
  for (const std::uint64_t frame : held) fly(frame, clock_.now(), flights_.at(frame).delay);
}

std::optional<Flight> Flights::lose(std::uint64_t frame) {
  wire_->drop(frame);
  auto lost = flights_.extract(frame);
  if (lost.empty()) return std::nullopt;
  return std::move(lost.mapped());
}

void Flights::note(std::uint64_t frame, const std::string& what) {
  const auto found = flights_.find(frame);
  if (found == flights_.end()) return;
  std::string& why = found->second.why;
  why += (why.empty() ? "" : "; ") + what;
}

std::vector<Flight> Flights::forget(netns::PortId from) {
  std::vector<Flight> forgotten;
  for (auto each = flights_.begin(); each != flights_.end();) {
    if (each->second.from == from) {
      forgotten.push_back(std::move(each->second));
      each = flights_.erase(each);
    } else {
      ++each;
    }
  }
  return forgotten;
}

}  // namespace tcplab::engine
