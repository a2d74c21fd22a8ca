#include "lab/hosts/kernel_maker.hh"

#include <utility>

#include "lab/hosts/kernel_machine.hh"
#include "netns/machine_view.hh"

namespace tcplab::lab {

KernelMaker::KernelMaker(const KernelChoice& choice, boost::asio::io_context& loop)
    : choice_(choice), loop_(loop), clock_(choice.is_virtual ? kSlowness : 1) {}

HostMaker::Machines KernelMaker::power_on(std::span<const netns::HostConfig> configs,
                                          const std::function<void()>& meanwhile) {
  // Hosts do without where this machine allows none. tcplab doctor says so.
  const auto view = netns::view_if_allowed(configs);
  std::vector<uml::GuestRequest> requests;
  requests.reserve(configs.size());
  for (const netns::HostConfig& config : configs)
    requests.push_back({.config = config,
                        .kernel = {.kernel = choice_.kernel.string(),
                                   .modules = "",
                                   .memory = kMemory,
                                   .has_tracepoints = has_tracepoints_,
                                   .is_confined = config.containment.has_value(),
                                   .view = view}});
  auto guests = uml::Guest::power_on(clock_, requests, meanwhile);
  Machines machines;
  machines.reserve(guests.size());
  for (std::size_t i = 0; i < guests.size(); ++i)
    machines.push_back(std::make_unique<KernelMachine>(loop_, configs[i], std::move(guests[i])));
  return machines;
}

std::unique_ptr<Clock> KernelMaker::make_clock() {
  return choice_.is_virtual ? make_virtual_clock(loop_, *this) : make_kernel_clock(loop_);
}

std::optional<ClockHosts::Rest> KernelMaker::rest() {
  const auto rest = clock_.rest();
  if (!rest) return std::nullopt;
  return Rest{.next_timer = rest->next_timer, .mark = rest->mark};
}

void KernelMaker::skip(base::nanoseconds time) { clock_.skip(time); }

}  // namespace tcplab::lab
