// Reads the ring buffer that the kernel fills with a perf event's samples (perf_event_open(2)). If
// the buffer is full, the kernel drops and counts new samples.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/bytes.hh"

struct perf_event_mmap_page;

namespace tcplab::capture {

/// A sample with PERF_SAMPLE_TID, PERF_SAMPLE_TIME and PERF_SAMPLE_RAW.
struct PerfSample {
  std::int64_t at = 0;  // nanoseconds of the event's clock
  int thread = 0;
  Bytes record;  // valid until the next sample is read
};

class PerfRing {
public:
  /// Maps the ring of a perf event, whose descriptor must stay open. Throws base::SystemError.
  explicit PerfRing(int event);
  PerfRing(PerfRing&& other) noexcept;
  PerfRing& operator=(PerfRing&&) = delete;
  ~PerfRing();

  /// Passes each new sample to `sink`, and removes it from the ring.
  void take(const std::function<void(const PerfSample&)>& sink);
  /// Returns how many samples the kernel has dropped so far.
  std::uint64_t lost() const { return lost_; }

private:
  void take_one(const std::function<void(const PerfSample&)>& sink);
  void copy_out(std::uint64_t from, std::size_t size);

  perf_event_mmap_page* page_ = nullptr;
  std::vector<std::uint8_t> record_;  // a copy, because a record can wrap around the ring's end
  std::uint64_t lost_ = 0;
};

}  // namespace tcplab::capture
