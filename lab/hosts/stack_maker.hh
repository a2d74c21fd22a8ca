// Makes stack hosts (`--stack`) for the hosts with these names, and namespace hosts for the others.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "lab/hosts/host_maker.hh"
#include "lab/hosts/stack_choice.hh"
#include "lab/hosts/stack_clock.hh"
#include "lab/hosts/stack_machine.hh"

namespace tcplab::lab {

class StackMaker : public HostMaker {
public:
  /// `others` makes the other hosts. `may_skip_time`: if all hosts have the lab's clock.
  StackMaker(std::map<std::string, StackChoice> stacks, bool may_skip_time,
             boost::asio::io_context& loop, std::unique_ptr<HostMaker> others);

  void prepare_tracepoints() override { others_->prepare_tracepoints(); }
  Machines power_on(std::span<const netns::HostConfig> configs,
                    const std::function<void()>& meanwhile) override;
  /// A virtual clock if all these stacks have it. Whether it jumps depends on the other hosts.
  std::unique_ptr<Clock> make_clock() override;
  void tell_of_clock(const std::function<void(const std::string& text)>& tell) override;

private:
  bool choose_clock(std::span<const netns::HostConfig> configs);

  std::map<std::string, StackChoice> stacks_;
  boost::asio::io_context& loop_;
  std::unique_ptr<HostMaker> others_;
  std::unique_ptr<StackClock> clock_;  // null: time passes as on this machine
  std::optional<bool> is_virtual_{};   // known when the first hosts are on
  std::function<void(const std::string& text)> tell_{};
};

}  // namespace tcplab::lab
