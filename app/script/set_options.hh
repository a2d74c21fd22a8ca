// The socket options that a program has set, as far as the lab knows.
#pragma once

#include <map>
#include <string>

#include "lab/programs/lab_program.hh"
#include "lab/record/timeline.hh"

namespace tcplab::app {

/// "TCP_KEEPIDLE" -> 5: the last value of each option that setsockopt(2) has set. For dnc, also the
/// values that --keepalive and --user-timeout on its command line will set.
using SetOptions = std::map<std::string, long>;

SetOptions set_options(lab::Timeline& timeline, const lab::LabProgram& program);

/// Reads a recorded argument: "TCP_KEEPIDLE = 5". Changes nothing if the value is no number.
void note_option(SetOptions& options, const std::string& argument);

/// Reads dnc's command line.
void note_dnc_options(SetOptions& options, const std::string& command);

}  // namespace tcplab::app
