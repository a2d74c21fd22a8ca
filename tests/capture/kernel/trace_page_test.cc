// Checks that pages of the trace buffer are read (Linux, include/linux/ring_buffer.h).
#include "capture/kernel/trace_page.hh"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "tests/catch.hh"

using namespace tcplab;

namespace {

constexpr std::uint64_t kMissed = 1ULL << 31;  // RB_MISSED_EVENTS

/// Builds a page.
class Page {
public:
  explicit Page(std::uint64_t at) : at_(at) {}

  /// A record of up to 112 bytes: a multiple of 4.
  Page& record(std::uint32_t delta, const std::vector<std::uint8_t>& bytes) {
    const auto words = static_cast<std::uint32_t>(bytes.size() / 4);
    add(delta << 5 | words);
    data_.insert(data_.end(), bytes.begin(), bytes.end());
    return *this;
  }
  /// A longer step in time (RINGBUF_TYPE_TIME_EXTEND).
  Page& pass(std::uint64_t time) {
    add(static_cast<std::uint32_t>(time & ((1U << 27) - 1)) << 5 | 30);
    add(static_cast<std::uint32_t>(time >> 27));
    return *this;
  }
  std::vector<std::uint8_t> bytes(std::uint64_t flags = 0) const {
    std::vector<std::uint8_t> page(4096);
    const std::uint64_t commit = data_.size() | flags;
    std::memcpy(page.data(), &at_, sizeof at_);
    std::memcpy(page.data() + 8, &commit, sizeof commit);
    std::copy(data_.begin(), data_.end(), page.begin() + 16);
    return page;
  }

private:
  void add(std::uint32_t word) {
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(&word);
    data_.insert(data_.end(), bytes, bytes + sizeof word);
  }

  std::uint64_t at_;
  std::vector<std::uint8_t> data_;
};

using TimedBytes = std::pair<std::int64_t, std::vector<std::uint8_t>>;

std::vector<TimedBytes> read(const std::vector<std::uint8_t>& page) {
  std::vector<TimedBytes> records;
  capture::read_trace_page(page, [&](std::int64_t at, capture::Bytes bytes) {
    records.emplace_back(at, std::vector(bytes.begin(), bytes.end()));
  });
  return records;
}

bool is_whole(const std::vector<std::uint8_t>& page) {
  return capture::read_trace_page(page, [](std::int64_t, capture::Bytes) {});
}

}  // namespace

TEST_CASE("each record of a page has its bytes and its time") {
  const std::vector<TimedBytes> records =
      read(Page(1000).record(5, {1, 2, 3, 4}).pass(10'000'000'000).record(7, {5, 6, 7, 8}).bytes());
  const std::vector<TimedBytes> expected{{1005, {1, 2, 3, 4}}, {10'000'001'012, {5, 6, 7, 8}}};
  CHECK(records == expected);
}

TEST_CASE("a page may be empty") { CHECK(read(Page(1000).bytes()).empty()); }

TEST_CASE("a page says whether records before it are lost") {
  const Page page = Page(1000).record(5, {1, 2, 3, 4});
  CHECK(is_whole(page.bytes()));
  CHECK_FALSE(is_whole(page.bytes(kMissed)));
}

TEST_CASE("a page that is cut is refused") {
  std::vector<std::uint8_t> page = Page(1000).record(5, {1, 2, 3, 4}).bytes();
  page.resize(GENERATE(0, 8, 16, 20));
  CHECK_THROWS_WITH(is_whole(page), Catch::Contains("it is cut"));
}
