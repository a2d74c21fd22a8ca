#include "app/cli/workflow_commands.hh"

#include <sys/random.h>

#include <array>
#include <fmt/format.h>

#include "base/error.hh"

namespace tcplab::app {

namespace {

std::string random_token() {
  std::array<unsigned char, 16> bytes{};
  base::check("get random bytes", ::getrandom(bytes.data(), bytes.size(), 0));
  std::string token = "tcplab-";
  for (const unsigned char byte : bytes) token += fmt::format("{:02x}", byte);
  return token;
}

}  // namespace

WorkflowCommandsOff::WorkflowCommandsOff(bool is_on_github, std::ostream& out)
    : out_(out), token_(is_on_github ? random_token() : "") {
  if (!token_.empty()) out_ << "::stop-commands::" << token_ << std::endl;
}

WorkflowCommandsOff::~WorkflowCommandsOff() {
  if (!token_.empty()) out_ << "\n::" << token_ << "::" << std::endl;
}

}  // namespace tcplab::app
