// Makes namespace hosts.
#pragma once

#include <boost/asio/io_context.hpp>
#include <memory>

#include "lab/hosts/host_maker.hh"
#include "netns/host_config.hh"

namespace tcplab::lab {

class NamespaceMaker : public HostMaker {
public:
  explicit NamespaceMaker(boost::asio::io_context& loop) : loop_(loop) {}

  Machines power_on(std::span<const netns::HostConfig> configs,
                    const std::function<void()>& meanwhile) override;
  std::unique_ptr<Clock> make_clock() override { return make_kernel_clock(loop_); }

private:
  boost::asio::io_context& loop_;
  // Learned before the first host is on: to close /dev/net/tun, the kernel waits for the RTNL lock,
  // and the frames of the hosts would wait with the run.
  const netns::PortKind kind_ = netns::preferred_port_kind();
};

}  // namespace tcplab::lab
