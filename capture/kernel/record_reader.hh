// Reads the records of the tracepoints of one kernel, according to their format files. Pure.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "capture/kernel/kernel_record.hh"
#include "capture/kernel/tracepoint_format.hh"

namespace tcplab::capture {

class RecordReader {
public:
  /// Learns how the records of a tracepoint look, from the text of its `format` file in tracefs.
  /// Empty: the kernel has no such tracepoint. Throws base::LabError if it is no format.
  void add(const Tracepoint& tracepoint, std::string_view format);

  /// Returns the IDs of the tracepoints that the kernel has and that have this value of
  /// Tracepoint::this_thread_only.
  std::vector<int> ids(bool this_thread_only) const;
  /// Returns the tracepoints that the kernel lacks: "tcp:tcp_bad_csum".
  const std::vector<std::string>& missing() const { return missing_; }

  /// Reads a record, which begins with common_type. Its `thread` is in the kernel's first pid
  /// namespace; its time and processor are not in the record. Returns nullopt if the tracepoint is
  /// unknown, or if the record is not about TCP.
  std::optional<KernelRecord> read(Bytes record) const;

private:
  struct Known {
    TraceKind kind;
    bool this_thread_only;
    TracepointFormat format;
  };

  std::map<int, Known> known_;  // by ID
  std::vector<std::string> missing_;
};

}  // namespace tcplab::capture
