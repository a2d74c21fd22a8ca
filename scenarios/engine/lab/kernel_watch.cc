#include "scenarios/engine/lab/kernel_watch.hh"

#include <unistd.h>

namespace tcplab::engine {

std::vector<std::string> missing_tracepoints() { return capture::KernelTrace().missing(); }

KernelWatch::KernelWatch(Timeline& timeline, Attribution::Hosts hosts)
    : timeline_(timeline), attribution_(::gettid(), std::move(hosts)) {}

void KernelWatch::look() { tell(nullptr); }

void KernelWatch::delivery_ended(const std::string& host, std::uint64_t frame, netns::Bytes bytes) {
  Delivery delivery = Delivery::of(bytes);
  delivery.host = host;
  delivery.frame = frame;
  delivery.begin = begin_;
  delivery.end = base::now();
  tell(&delivery);
}

void KernelWatch::power_goes(const std::string& host) {
  look();
  attribution_.forget(host);
}

void KernelWatch::tell(const Delivery* delivery) {
  const std::vector<capture::KernelRecord> records = trace_.take();
  for (Attributed& found : attribution_.sort_out(records, delivery))
    timeline_.append(found.at, std::move(found.event));
  tell_of_losses();
}

void KernelWatch::tell_of_losses() {
  if (has_lost_ || trace_.lost() == 0) return;
  has_lost_ = true;
  timeline_.append(base::now(), capture::Note{"the kernel said more than could be taken down: "
                                              "some of its events are missing from here on"});
}

}  // namespace tcplab::engine
