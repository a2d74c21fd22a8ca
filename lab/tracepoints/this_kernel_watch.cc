// The watch of namespace hosts: one trace of the whole machine, and attribution finds the host.
#include <unistd.h>

#include <utility>

#include "lab/tracepoints/kernel_watch.hh"

namespace tcplab::lab {

namespace {

class ThisKernelWatch : public KernelWatch {
public:
  ThisKernelWatch(Sink sink, Attribution::Hosts hosts)
      : sink_(std::move(sink)), attribution_(::gettid(), std::move(hosts)) {}

  void came_up(const std::string& /*host*/, netns::Machine& /*machine*/) override {}

  void look() override { tell(nullptr); }

  void delivery_begins() override { begin_ = base::now(); }

  void delivery_ended(const std::string& host, std::uint64_t frame, netns::Bytes bytes) override {
    Delivery delivery = Delivery::of(bytes);
    delivery.host = host;
    delivery.frame = frame;
    delivery.begin = begin_;
    delivery.end = base::now();
    tell(&delivery);
  }

  void power_goes(const std::string& host) override {
    look();
    attribution_.forget(host);
  }

private:
  void tell(const Delivery* delivery) {
    const std::vector<capture::KernelRecord> records = trace_.take();
    for (Attributed& found : attribution_.sort_out(records, delivery))
      sink_(found.at, std::move(found.event));
    if (!has_lost_ && trace_.lost() > 0) sink_(base::now(), lost_records());
    has_lost_ = trace_.lost() > 0;
  }

  Sink sink_;
  capture::KernelTrace trace_;
  Attribution attribution_;
  base::Instant begin_{};
  bool has_lost_ = false;
};

}  // namespace

std::vector<std::string> missing_tracepoints() { return capture::KernelTrace().missing(); }

std::unique_ptr<KernelWatch> watch_this_kernel(KernelWatch::Sink sink, Attribution::Hosts hosts) {
  return std::make_unique<ThisKernelWatch>(std::move(sink), std::move(hosts));
}

capture::Note lost_records() {
  return {"a buffer for tracepoints was full: some events of the kernel are missing from here on"};
}

}  // namespace tcplab::lab
