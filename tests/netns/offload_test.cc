#include "netns/offload.hh"

#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <vector>

#include "base/error.hh"
#include "base/file_descriptor.hh"
#include "tests/catch.hh"

using namespace tcplab;
using netns::Offload;

namespace {

struct Ends {
  base::FileDescriptor one, other;
};

/// Returns sockets that keep the borders of frames, as a TAP does.
Ends make_ends() {
  std::array<int, 2> ends{};
  base::check("make a pair of sockets",
              socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends.data()));
  return {base::FileDescriptor(ends[0]), base::FileDescriptor(ends[1])};
}

constexpr Offload kLarge = {.needs_checksum = true,
                            .kind = 1,
                            .header_size = 66,
                            .segment_size = 1448,
                            .checksum_start = 34,
                            .checksum_offset = 16};

}  // namespace

TEST_CASE("a frame and its offload are read as they were written") {
  const bool has_headers = GENERATE(true, false);
  const Ends ends = make_ends();
  const std::vector<std::uint8_t> frame(5066, 'x');
  REQUIRE(netns::write_frame(ends.one.get(), has_headers, frame, kLarge) ==
          5066 + (has_headers ? 10 : 0));
  std::vector<std::uint8_t> buffer(10'000);
  Offload offload{.segment_size = 1};
  REQUIRE(netns::read_frame(ends.other.get(), has_headers, buffer, offload) == 5066);
  CHECK(std::vector(buffer.begin(), buffer.begin() + 5066) == frame);
  CHECK(offload == (has_headers ? kLarge : Offload{}));
}

TEST_CASE("a read without a frame fails, and leaves no offload") {
  const Ends ends = make_ends();
  std::array<std::uint8_t, 100> buffer{};
  Offload offload = kLarge;
  CHECK(netns::read_frame(ends.one.get(), true, buffer, offload) == -1);
  CHECK(errno == EAGAIN);
  CHECK(offload == Offload{});
}

TEST_CASE("the NIC adds the sum of everything that the checksum covers to the partial checksum") {
  // RFC 1071 section 3: 00 01 f2 03 f4 f5 f6 f7 add up to ddf2, with the carries.
  const std::vector<std::uint8_t> words = {0xaa, 0x00, 0x01, 0xf2, 0x03, 0xf4, 0xf5, 0xf6, 0xf7};
  const Offload offload = {.needs_checksum = true, .checksum_start = 1, .checksum_offset = 2};
  const std::vector<std::uint8_t> wanted = {0xaa, 0x00, 0x01, 0x22, 0x0d, 0xf4, 0xf5, 0xf6, 0xf7};
  CHECK(netns::with_checksum(words, offload) == wanted);
  CHECK(netns::with_checksum(words, {.checksum_start = 1, .checksum_offset = 2}) == words);
}

TEST_CASE("a last odd byte is summed as if a zero followed") {
  const Offload offload = {.needs_checksum = true, .checksum_offset = 0};
  CHECK(netns::with_checksum(std::vector<std::uint8_t>{0, 0, 0x12}, offload) ==
        std::vector<std::uint8_t>{0xed, 0xff, 0x12});
}

TEST_CASE("a checksum of zero is written as ffff, because zero means none in UDP") {
  const Offload offload = {.needs_checksum = true, .checksum_offset = 0};
  CHECK(netns::with_checksum(std::vector<std::uint8_t>{0xff, 0xfe, 0, 1}, offload) ==
        std::vector<std::uint8_t>{0xff, 0xff, 0, 1});
}

TEST_CASE("a frame without room for its checksum stays as it is") {
  const std::vector<std::uint8_t> cut(51, 'x');
  CHECK(netns::with_checksum(cut, kLarge) == cut);
}

TEST_CASE("a frame has as many segments as its payload needs") {
  CHECK(kLarge.segments(5000) == 4);
  CHECK(kLarge.segments(2896) == 2);
  CHECK(kLarge.segments(1) == 1);
  CHECK(kLarge.segments(0) == 1);
  CHECK(Offload{}.segments(5000) == 1);
}
