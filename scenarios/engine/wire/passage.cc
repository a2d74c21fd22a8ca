#include "scenarios/engine/wire/passage.hh"

namespace tcplab::engine {

void Passage::note(const std::string& what) { why_ += (why_.empty() ? "" : "; ") + what; }

void Passage::replace(std::vector<std::uint8_t> bytes, const std::string& why) {
  own_bytes_ = std::move(bytes);
  bytes_ = own_bytes_;
  note(why);
}

void Passage::lose(const std::string& why) {
  is_lost_ = true;
  note(why);
}

void Passage::delay(base::nanoseconds by, const std::string& why) {
  delayed_ += by;
  note(why);
}

void Passage::hold(const Fault& fault, const std::string& why) {
  holders_.push_back(&fault);
  note(why);
}

void Passage::copy(Copies copies) {
  note("duplicated by " + copies.cause);
  copies_.push_back(std::move(copies));
}

}  // namespace tcplab::engine
