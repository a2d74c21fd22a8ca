#include "app/script/since.hh"

#include "base/error.hh"

namespace tcplab::app {

base::KernelVersion kernel_version(const std::string& text) {
  const auto version = base::parse_kernel_version(text);
  if (!version)
    throw base::UsageError("\"" + text + "\" is no version of Linux; write it as \"6.5\"");
  return *version;
}

LuaWords kernel_versions() {
  return {.name = "kernel_version",
          .words = {"6.5"},
          .has_others = true,
          .check = [](const std::string& text) { kernel_version(text); }};
}

}  // namespace tcplab::app
