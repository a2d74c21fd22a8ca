// What processes wait for, as text for people and as JSON.
#pragma once

#include <iosfwd>
#include <span>
#include <string>

#include "look/looked_process.hh"
#include "reports/text/style.hh"

namespace tcplab::reports {

/// Writes each process: its waits, what ends them, and its connections.
void write_look(std::ostream& out, std::span<const look::LookedProcess> processes,
                const Style& style);

/// Writes what the threads and tasks of a process wait for, and what ends that; or why that is
/// hidden. Nothing if none is known to wait.
void write_waits(std::ostream& out, const look::LookedProcess& process, const Style& style);

enum class DataTimes : std::uint8_t { shown, left_out };

/// Returns the ends, the state, when data last went each way, and the queues: "10.0.0.1:40000 >
/// 10.0.0.2:80  ESTABLISHED; no data sent or received; 3 octets unread".
std::string connection_line(const look::LookedConnection& connection,
                            DataTimes times = DataTimes::shown);

/// Writes one JSON object; times are in nanoseconds.
void write_look_json(std::ostream& out, std::span<const look::LookedProcess> processes);

}  // namespace tcplab::reports
