#include "base/error_message.hh"

#include <filesystem>

#include "base/error.hh"
#include "tests/catch.hh"

using namespace tcplab;

TEST_CASE("an error of std::filesystem is written like ours") {
  const std::filesystem::filesystem_error error("directory iterator cannot open directory", "runs",
                                                std::make_error_code(std::errc::permission_denied));
  CHECK(base::message_of(error) == "cannot access runs: Permission denied (EACCES)");
  CHECK(base::message_of(base::UsageError("what is wrong")) == "what is wrong");
}
