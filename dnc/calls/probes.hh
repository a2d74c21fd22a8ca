// USDT probes: provider dnc, call__entry(name, fd) and call__return(name, fd, result, errno).
// They are nops until a tracer (bpftrace, perf, stap) puts a breakpoint there; where
// sys/sdt.h was missing at build time they are nothing at all.
#pragma once

#include "dnc/calls/call_record.hh"

namespace tcplab::dnc {

void probe_entry(const CallRecord& record);
void probe_return(const CallRecord& record);

}  // namespace tcplab::dnc
