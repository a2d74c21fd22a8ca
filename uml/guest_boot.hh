// How guests come up: their kernels boot, their agents say so, their networks are set up.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "netns/host_config.hh"
#include "uml/guest_clock.hh"
#include "uml/guest_kernel.hh"
#include "uml/guest_time.hh"
#include "uml/kernel_process.hh"

namespace tcplab::uml {

struct GuestRequest {
  netns::HostConfig config;
  KernelRequest kernel;
};

struct BootedGuest {
  netns::HostConfig config;
  std::unique_ptr<GuestKernel> kernel;
  std::string release;  // of the kernel
  GuestTime time;
};

/// Boots all guests in parallel, and sets up their networks. Calls `meanwhile` every millisecond.
/// Throws base::LabError with the last words of a guest that does not come up.
std::vector<BootedGuest> boot_guests(GuestClock& clock, std::span<const GuestRequest> requests,
                                     const std::function<void()>& meanwhile);

}  // namespace tcplab::uml
