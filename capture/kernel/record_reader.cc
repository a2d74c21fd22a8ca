#include "capture/kernel/record_reader.hh"

#include <cstring>
#include <utility>

namespace tcplab::capture {

void RecordReader::add(const Tracepoint& tracepoint, std::string_view format) {
  if (format.empty()) return missing_.push_back(tracepoint.title());
  auto parsed = TracepointFormat::parse(format);
  const int id = parsed.id();
  known_.emplace(id, Known{tracepoint.kind, tracepoint.this_thread_only, std::move(parsed)});
}

std::vector<int> RecordReader::ids(bool this_thread_only) const {
  std::vector<int> ids;
  for (const auto& [id, known] : known_)
    if (known.this_thread_only == this_thread_only) ids.push_back(id);
  return ids;
}

std::optional<KernelRecord> RecordReader::read(Bytes record) const {
  std::uint16_t id = 0;  // common_type
  if (record.size() < sizeof id) return std::nullopt;
  std::memcpy(&id, record.data(), sizeof id);
  const auto found = known_.find(id);
  if (found == known_.end()) return std::nullopt;
  const Known& known = found->second;
  auto read = read_record(known.kind, known.format, record);
  if (read) read->thread = static_cast<int>(known.format.number(record, "common_pid").value_or(0));
  return read;
}

}  // namespace tcplab::capture
