#include "lab/failure_records.hh"

#include <algorithm>
#include <fmt/format.h>
#include <utility>
#include <variant>

#include "base/error.hh"
#include "base/shell_word.hh"
#include "lab/watch/descriptor_history.hh"
#include "look/failure_file.hh"

namespace tcplab::lab {

namespace {

constexpr std::size_t kMostFrames = 20;        // of a connection
constexpr std::uint64_t kEventsBack = 20'000;  // in which these are looked for

bool is_of(const capture::Packet& packet, const ConnectionKey& connection) {
  return (packet.source == connection.local && packet.destination == connection.remote) ||
         (packet.source == connection.remote && packet.destination == connection.local);
}

void name_caller(capture::Event& event, const LabProgram& program) {
  auto& call = std::get<capture::Call>(event.body);
  call.host = program.host();
  call.program = program.name();
}

}  // namespace

FailureRecords::FailureRecords(std::filesystem::path folder, Timeline& timeline,
                               const HostTable& hosts, ProgramTable& programs)
    : folder_(std::move(folder)), timeline_(timeline), hosts_(hosts), programs_(programs) {
  programs_.on_failure = [this](const LabProgram& program, look::FailureRecord record) {
    take(program, std::move(record));
  };
}

void FailureRecords::take(const LabProgram& program, look::FailureRecord record) {
  name_caller(record.failure, program);
  for (look::RecordedConnection& connection : record.connections) {
    for (capture::Event& event : connection.calls) name_caller(event, program);
    complete(connection);
  }
  const std::string name = look::failure_name(program.host(), program.name());
  const std::string path =
      (folder_ / fmt::format("{}.{}.tcplab.json", name, record.own_process)).string();
  look::write_record(record, path);
  const auto& call = std::get<capture::Call>(record.failure.body);
  timeline_.append(base::now(), capture::Note{fmt::format(
                                    "{} is aborted at {}: {}; its connections and calls: "
                                    "tcplab look {}",
                                    program.title(), call.call, base::errno_name(call.error),
                                    base::shell_word(path))});
}

void FailureRecords::complete(look::RecordedConnection& connection) {
  if (!connection.looked.remote) return;
  const ConnectionKey own{connection.looked.local, *connection.looked.remote};
  connection.peer = peer_of({own.remote, own.local});
  connection.frames = frames_of(own);
}

/// Nothing if the other end is no host of the lab. A host without power has no kernel to ask, and
/// no programs, even if the end of one has not been reported yet.
std::optional<look::PeerSide> FailureRecords::peer_of(const ConnectionKey& peer) {
  const LabHost* const host = hosts_.find(peer.local.address);
  if (host == nullptr) return std::nullopt;
  look::PeerSide side{.host = host->name(),
                      .read_at = base::now(),
                      .has_power = host->is_on(),
                      .can_be_asked = host->sockets().can_ask()};
  if (const auto detail = host->sockets().detail(peer)) side.socket = detail->socket;
  if (side.has_power) side.calls_open = calls_on(*host, peer);
  return side;
}

std::vector<capture::Event> FailureRecords::calls_on(const LabHost& host,
                                                     const ConnectionKey& connection) {
  std::vector<capture::Event> calls;
  for (const auto& program : programs_.all()) {
    if (program->host() != host.name()) continue;
    const DescriptorHistory& descriptors = program->calls().descriptors();
    for (const capture::TrackedCallPointer& open : descriptors.under_way(host.name()))
      if (descriptors.find(open->call.pid, open->call.fd, open->at) == connection)
        calls.push_back({.number = 0, .at = open->at, .body = open->call});
  }
  return calls;
}

std::vector<capture::Event> FailureRecords::frames_of(const ConnectionKey& connection) {
  std::vector<capture::Event> frames;
  const std::uint64_t from = timeline_.last() - std::min(timeline_.last(), kEventsBack);
  timeline_.visit_after(from, [&](const capture::Event& event) {
    const auto* packet = std::get_if<capture::Packet>(&event.body);
    if (packet != nullptr && is_of(*packet, connection)) frames.push_back(event);
    return true;
  });
  if (frames.size() > kMostFrames)
    frames.erase(frames.begin(), frames.end() - static_cast<std::ptrdiff_t>(kMostFrames));
  return frames;
}

}  // namespace tcplab::lab
