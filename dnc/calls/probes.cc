#include "dnc/calls/probes.hh"

#if __has_include(<sys/sdt.h>)
#include <sys/sdt.h>

namespace tcplab::dnc {

void probe_entry(const CallRecord& record) {
  DTRACE_PROBE2(dnc, call__entry, record.call.data(), record.fd);
}

void probe_return(const CallRecord& record) {
  DTRACE_PROBE4(dnc, call__return, record.call.data(), record.fd, record.result, record.error);
}

}  // namespace tcplab::dnc

#else

namespace tcplab::dnc {

void probe_entry(const CallRecord&) {}
void probe_return(const CallRecord&) {}

}  // namespace tcplab::dnc

#endif
