// From which version of Linux on an expectation holds: `since = "6.5"`.
#pragma once

#include <string>

#include "app/script/lua_interface.hh"
#include "base/kernel_version.hh"

namespace tcplab::app {

/// Returns the version in "6.5" or "6.1.60". Throws base::UsageError for any other text.
base::KernelVersion kernel_version(const std::string& text);

/// Returns the type of such a text.
LuaWords kernel_versions();

}  // namespace tcplab::app
