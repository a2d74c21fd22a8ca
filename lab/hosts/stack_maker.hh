// Makes stack hosts (`--stack`) for the hosts with these names, and namespace hosts for the others.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "lab/hosts/host_maker.hh"
#include "lab/hosts/stack_choice.hh"
#include "lab/hosts/stack_machine.hh"

namespace tcplab::lab {

class StackMaker : public HostMaker {
public:
  /// `others` makes the other hosts, and the clock.
  StackMaker(std::map<std::string, StackChoice> stacks, boost::asio::io_context& loop,
             std::unique_ptr<HostMaker> others);

  void prepare_tracepoints() override { others_->prepare_tracepoints(); }
  Machines power_on(std::span<const netns::HostConfig> configs,
                    const std::function<void()>& meanwhile) override;
  std::unique_ptr<Clock> make_clock() override { return others_->make_clock(); }

private:
  std::map<std::string, StackChoice> stacks_;
  boost::asio::io_context& loop_;
  std::unique_ptr<HostMaker> others_;
};

}  // namespace tcplab::lab
