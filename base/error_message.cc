#include "base/error_message.hh"

#include <filesystem>

#include "base/error.hh"

namespace tcplab::base {

std::string message_of(const std::exception& error) {
  const auto* failed = dynamic_cast<const std::filesystem::filesystem_error*>(&error);
  if (failed == nullptr) return error.what();
  return SystemError("access " + failed->path1().string(), failed->code().value()).what();
}

}  // namespace tcplab::base
