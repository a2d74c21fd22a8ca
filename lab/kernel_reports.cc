#include "lab/kernel_reports.hh"

#include <utility>

namespace tcplab::lab {

KernelWatch::Sink KernelReports::sink() {
  return [this](base::Instant at, auto event) { timeline_.append(at, event); };
}

KernelWatch& KernelReports::listen_to_own_kernels() {
  maker_.prepare_tracepoints();
  watch_ = watch_own_kernels(sink());
  return *watch_;
}

KernelWatch& KernelReports::listen_to_this_kernel(Attribution::Hosts hosts) {
  maker_.prepare_tracepoints();
  watch_ = watch_this_kernel(sink(), std::move(hosts));
  return *watch_;
}

}  // namespace tcplab::lab
