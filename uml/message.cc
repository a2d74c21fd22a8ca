#include "uml/message.hh"

#include <cstring>

#include "base/error.hh"

namespace tcplab::uml {

PayloadWriter& PayloadWriter::number(std::uint64_t value) {
  return rest({reinterpret_cast<const std::uint8_t*>(&value), sizeof value});
}

PayloadWriter& PayloadWriter::bytes(Bytes bytes) {
  number(bytes.size());
  return rest(bytes);
}

PayloadWriter& PayloadWriter::text(std::string_view text) { return bytes(as_bytes(text)); }

PayloadWriter& PayloadWriter::rest(Bytes bytes) {
  payload_.insert(payload_.end(), bytes.begin(), bytes.end());
  return *this;
}

Bytes PayloadReader::take(std::uint64_t size) {
  if (size > left_.size()) throw base::LabError("a message between lab and guest is too short");
  const Bytes taken = left_.first(size);
  left_ = left_.subspan(size);
  return taken;
}

std::uint64_t PayloadReader::number() {
  std::uint64_t value = 0;
  std::memcpy(&value, take(sizeof value).data(), sizeof value);
  return value;
}

Bytes PayloadReader::bytes() { return take(number()); }

std::string PayloadReader::text() { return as_text(bytes()); }

}  // namespace tcplab::uml
