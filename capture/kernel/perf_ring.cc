#include "capture/kernel/perf_ring.hh"

#include <linux/perf_event.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/error.hh"

namespace tcplab::capture {

namespace {

// A power of two. 128 KiB hold about a thousand records; we read them after each frame.
constexpr std::size_t kDataPages = 32;

std::size_t page_size() { return static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)); }
std::size_t data_size() { return kDataPages * page_size(); }
std::size_t whole_size() { return page_size() + data_size(); }

template <typename Value>
Value value_at(Bytes bytes, std::size_t at) {
  Value value{};
  if (at + sizeof value <= bytes.size()) std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

// Offsets, from perf_event_open(2), "Reading results". A PERF_RECORD_SAMPLE is: header, pid, tid,
// time, size, raw data. A PERF_RECORD_LOST is: header, id, count.
constexpr std::size_t kThreadAt = sizeof(perf_event_header) + 4;
constexpr std::size_t kTimeAt = kThreadAt + 4;
constexpr std::size_t kRawSizeAt = kTimeAt + 8;
constexpr std::size_t kLostAt = sizeof(perf_event_header) + 8;

}  // namespace

PerfRing::PerfRing(int event) {
  void* memory = ::mmap(nullptr, whole_size(), PROT_READ | PROT_WRITE, MAP_SHARED, event, 0);
  if (memory == MAP_FAILED) throw base::SystemError("map the ring of a perf event", errno);
  page_ = static_cast<perf_event_mmap_page*>(memory);
}

PerfRing::PerfRing(PerfRing&& other) noexcept
    : page_(std::exchange(other.page_, nullptr)), lost_(other.lost_) {}

PerfRing::~PerfRing() {
  if (page_ != nullptr) ::munmap(page_, whole_size());
}

void PerfRing::take(const std::function<void(const PerfSample&)>& sink) {
  const std::uint64_t head = __atomic_load_n(&page_->data_head, __ATOMIC_ACQUIRE);
  while (page_->data_tail < head) {
    copy_out(page_->data_tail, sizeof(perf_event_header));
    const auto header = value_at<perf_event_header>(record_, 0);
    if (header.size < sizeof header) break;  // not a valid record
    copy_out(page_->data_tail, header.size);
    __atomic_store_n(&page_->data_tail, page_->data_tail + header.size, __ATOMIC_RELEASE);
    take_one(sink);
  }
}

void PerfRing::take_one(const std::function<void(const PerfSample&)>& sink) {
  const auto header = value_at<perf_event_header>(record_, 0);
  if (header.type == PERF_RECORD_LOST) lost_ += value_at<std::uint64_t>(record_, kLostAt);
  if (header.type != PERF_RECORD_SAMPLE) return;
  sink({.at = value_at<std::int64_t>(record_, kTimeAt),
        .thread = value_at<std::int32_t>(record_, kThreadAt),
        .record = slice(record_, kRawSizeAt + 4, value_at<std::uint32_t>(record_, kRawSizeAt))});
}

void PerfRing::copy_out(std::uint64_t from, std::size_t size) {
  const auto* data = reinterpret_cast<const std::uint8_t*>(page_) + page_size();
  const std::size_t begin = from % data_size();
  const std::size_t first = std::min(size, data_size() - begin);
  record_.assign(data + begin, data + begin + first);
  record_.insert(record_.end(), data, data + (size - first));
}

}  // namespace tcplab::capture
