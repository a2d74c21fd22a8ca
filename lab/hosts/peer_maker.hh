// Makes peers (HostConfig::is_peer), and leaves the other hosts to another maker.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "lab/hosts/host_maker.hh"

namespace tcplab::lab {

class PeerMaker : public HostMaker {
public:
  /// `others` makes the other hosts, and the clock.
  explicit PeerMaker(std::unique_ptr<HostMaker> others);

  void prepare_tracepoints() override { others_->prepare_tracepoints(); }
  Machines power_on(std::span<const netns::HostConfig> configs,
                    const std::function<void()>& meanwhile) override;
  std::unique_ptr<Clock> make_clock() override { return others_->make_clock(); }
  void tell_of_clock(const std::function<void(const std::string& text)>& tell) override {
    others_->tell_of_clock(tell);
  }

private:
  std::unique_ptr<HostMaker> others_;
};

}  // namespace tcplab::lab
