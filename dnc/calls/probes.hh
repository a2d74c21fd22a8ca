// USDT probes of provider dnc: call__entry(name, fd) and call__return(name, fd, result, errno).
// They are nops until a tracer (bpftrace, perf, stap) attaches. Without sys/sdt.h at build time
// there are no probes.
#pragma once

#include "dnc/calls/call_record.hh"

namespace tcplab::dnc {

void probe_entry(const CallRecord& record);
void probe_return(const CallRecord& record);

}  // namespace tcplab::dnc
