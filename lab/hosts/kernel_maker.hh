// Makes kernel hosts, and the clock that they share with the run.
#pragma once

#include <boost/asio/io_context.hpp>
#include <memory>

#include "lab/hosts/host_maker.hh"
#include "lab/hosts/kernel_choice.hh"
#include "lab/wire/virtual_clock.hh"
#include "uml/guest_clock.hh"

namespace tcplab::lab {

class KernelMaker : public HostMaker, private ClockHosts {
public:
  KernelMaker(const KernelChoice& choice, boost::asio::io_context& loop);

  void prepare_tracepoints() override { has_tracepoints_ = true; }
  Machines power_on(std::span<const netns::HostConfig> configs,
                    const std::function<void()>& meanwhile) override;
  std::unique_ptr<Clock> make_clock() override;

private:
  std::optional<Rest> rest() override;
  void skip(base::nanoseconds time) override;
  void stand_still() override { clock_.stand_still(); }
  void resume() override { clock_.resume(); }
  bool stands_still() const override { return clock_.stands_still(); }
  int descriptor() const override { return clock_.descriptor(); }
  void serve() override { clock_.serve(); }

  // Megabytes of a host: a Go or Java program needs them. What a host does not use costs 5 us of
  // its boot for each megabyte: the kernel describes each page.
  static constexpr unsigned kMemory = 512;
  // How much slower a virtual clock is than the machine's while a host runs. The hosts' kernels
  // wait for a processor, and boot, in real time; so their timers notice little of it.
  static constexpr std::int64_t kSlowness = 10;

  KernelChoice choice_;
  bool has_tracepoints_ = false;
  boost::asio::io_context& loop_;
  uml::GuestClock clock_;
};

}  // namespace tcplab::lab
