// If a kernel host refuses a path, the script is wrong, not the lab.
#pragma once

#include "base/error.hh"
#include "uml/guest_kernel.hh"

namespace tcplab::lab {

/// Calls a function. Turns a refusal into a base::UsageError.
template <typename Act>
void blame_script(const Act& act) {
  try {
    act();
  } catch (const uml::Refusal& refusal) {
    throw base::UsageError(refusal.what());
  }
}

}  // namespace tcplab::lab
