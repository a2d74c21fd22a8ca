// Completes the records of the calls at which programs were aborted (`abort_on`), and writes them
// beside the run's events: what the lab adds is the peer's side, and the last frames.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "lab/host_table.hh"
#include "lab/program_table.hh"
#include "lab/record/timeline.hh"
#include "look/failure_record.hh"

namespace tcplab::lab {

class FailureRecords {
public:
  /// The references must outlive this object, and the programs must not report failures after it.
  FailureRecords(std::filesystem::path folder, Timeline& timeline, const HostTable& hosts,
                 ProgramTable& programs);
  FailureRecords(const FailureRecords&) = delete;
  FailureRecords& operator=(const FailureRecords&) = delete;

private:
  void take(const LabProgram& program, look::FailureRecord record);
  void complete(look::RecordedConnection& connection);
  std::optional<look::PeerSide> peer_of(const ConnectionKey& peer);
  std::vector<capture::Event> calls_on(const LabHost& host, const ConnectionKey& connection);
  std::vector<capture::Event> frames_of(const ConnectionKey& connection);

  std::filesystem::path folder_;
  Timeline& timeline_;
  const HostTable& hosts_;
  ProgramTable& programs_;
};

}  // namespace tcplab::lab
