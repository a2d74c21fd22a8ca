#include "app/script/cursors.hh"

namespace tcplab::app {

std::uint64_t Cursors::event_at(const std::string& stream) const {
  const auto found = events_.find(stream);
  return found == events_.end() ? 0 : found->second;
}

std::size_t Cursors::bytes_at(const std::string& stream) const {
  const auto found = bytes_.find(stream);
  return found == bytes_.end() ? 0 : found->second;
}

void Cursors::move(const std::string& stream, std::uint64_t event, std::size_t bytes) {
  events_[stream] = event;
  bytes_[stream] = bytes;
}

}  // namespace tcplab::app
