// The memory that a perf event writes its samples into, and we read them from: the ring buffer of
// perf_event_open(2). When it is full the kernel drops what comes, and counts it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/bytes.hh"

struct perf_event_mmap_page;

namespace tcplab::capture {

/// Of samples with PERF_SAMPLE_TID, _TIME and _RAW.
struct PerfSample {
  std::int64_t at = 0;  // ns of the event's clock
  int thread = 0;
  Bytes record;  // until the next one is taken
};

class PerfRing {
public:
  /// Of that event, whose descriptor must stay open; throws base::SystemError.
  explicit PerfRing(int event);
  PerfRing(PerfRing&& other) noexcept;
  PerfRing& operator=(PerfRing&&) = delete;
  ~PerfRing();

  void take(const std::function<void(const PerfSample&)>& sink);
  std::uint64_t lost() const { return lost_; }

private:
  void take_one(const std::function<void(const PerfSample&)>& sink);
  void copy_out(std::uint64_t from, std::size_t size);

  perf_event_mmap_page* page_ = nullptr;
  std::vector<std::uint8_t> record_;  // of a record that may go round the end
  std::uint64_t lost_ = 0;
};

}  // namespace tcplab::capture
