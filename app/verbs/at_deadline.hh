// What is there instead of the event that an expectation has waited for: the words of a failure
// after "seen".
#pragma once

#include <string>

#include "lab/programs/lab_host.hh"
#include "lab/programs/lab_program.hh"
#include "lab/record/timeline.hh"

namespace tcplab::app {

/// Returns the calls in which the program of that host waits: "it waits in recvfrom(5) for 5 s"; or
/// that it still runs. If it waits in one call for one connection, says what will end that wait, in
/// the words of `tcplab look`: asks the machine's kernel, so not on a host with another one.
std::string program_at_deadline(const lab::LabProgram& program, lab::LabHost& host,
                                base::Instant now);

/// Returns the last event of the host's kernel, or that none has come, for a run that records them:
/// "its kernel's last event: kang's kernel drops it: TCP_OLD_SEQUENCE".
std::string kernel_at_deadline(lab::Timeline& timeline, const std::string& host);

}  // namespace tcplab::app
