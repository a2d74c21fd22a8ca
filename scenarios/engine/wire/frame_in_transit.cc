#include "scenarios/engine/wire/frame_in_transit.hh"

namespace tcplab::engine {

void FrameInTransit::note(const std::string& what) { why_ += (why_.empty() ? "" : "; ") + what; }

void FrameInTransit::replace(std::vector<std::uint8_t> bytes, const std::string& why) {
  own_bytes_ = std::move(bytes);
  bytes_ = own_bytes_;
  note(why);
}

void FrameInTransit::lose(const std::string& why) {
  is_lost_ = true;
  note(why);
}

void FrameInTransit::delay(base::nanoseconds by, const std::string& why) {
  delayed_ += by;
  note(why);
}

void FrameInTransit::hold(const Fault& fault, const std::string& why) {
  holders_.push_back(&fault);
  note(why);
}

void FrameInTransit::copy(Copies copies) {
  note("duplicated by " + copies.cause);
  copies_.push_back(std::move(copies));
}

}  // namespace tcplab::engine
