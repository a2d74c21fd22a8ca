#include "capture/kernel/trace_page.hh"

extern "C" {
#include <traceevent/kbuffer.h>
}

#include <bit>
#include <cstring>
#include <memory>
#include <vector>

#include "base/error.hh"

namespace tcplab::capture {

namespace {

constexpr std::size_t kHeader = 16;                  // the time, and how many bytes follow
constexpr std::uint64_t kSizeMask = (1U << 27) - 1;  // the bits above say whether records are lost

constexpr kbuffer_endian kEndian =
    std::endian::native == std::endian::big ? KBUFFER_ENDIAN_BIG : KBUFFER_ENDIAN_LITTLE;

/// Returns how many bytes of the page are in use.
std::size_t used_bytes(Bytes page) {
  std::uint64_t commit = 0;
  if (page.size() < kHeader) return SIZE_MAX;
  std::memcpy(&commit, page.data() + sizeof(std::uint64_t), sizeof commit);
  return kHeader + (commit & kSizeMask);
}

}  // namespace

bool read_trace_page(Bytes page, const TraceSink& sink) {
  if (used_bytes(page) > page.size())
    throw base::LabError("cannot read a page of the kernel's trace buffer: it is cut");
  const std::unique_ptr<kbuffer, decltype(&kbuffer_free)> buffer(
      kbuffer_alloc(KBUFFER_LSIZE_8, kEndian), kbuffer_free);
  std::vector<std::uint8_t> bytes(page.begin(), page.end());  // the library wants to write
  if (!buffer || kbuffer_load_subbuffer(buffer.get(), bytes.data()) != 0)
    throw base::LabError("cannot read a page of the kernel's trace buffer: its kind is unknown");
  const bool is_whole = kbuffer_missed_events(buffer.get()) == 0;  // asked before the first record
  unsigned long long at = 0;
  for (const void* record = kbuffer_read_event(buffer.get(), &at); record != nullptr;
       record = kbuffer_next_event(buffer.get(), &at)) {
    const auto size = static_cast<std::size_t>(kbuffer_event_size(buffer.get()));
    sink(static_cast<std::int64_t>(at), {static_cast<const std::uint8_t*>(record), size});
  }
  return is_whole;
}

}  // namespace tcplab::capture
