// Makes hosts in namespaces of the running kernel.
#pragma once

#include <boost/asio/io_context.hpp>
#include <memory>

#include "scenarios/engine/hosts/host_maker.hh"

namespace tcplab::engine {

class NamespaceMaker : public HostMaker {
public:
  explicit NamespaceMaker(boost::asio::io_context& loop) : loop_(loop) {}

  Machines power_on(std::span<const netns::HostConfig> configs,
                    const std::function<void()>& meanwhile) override;
  std::unique_ptr<Clock> make_clock() override { return make_kernel_clock(loop_); }

private:
  boost::asio::io_context& loop_;
};

}  // namespace tcplab::engine
