// Checks that a run's capture file delays frames for their comments, but only for a bounded time
// and number.
#include "lab/record/capture_file.hh"

#include <chrono>

#include "capture/files/pcap_reader.hh"
#include "tests/catch.hh"
#include "tests/samples.hh"
#include "tests/workshop.hh"

using namespace tcplab;
using namespace std::chrono_literals;
using lab::CaptureFile;

namespace {

const base::Instant kStart = base::from_nanoseconds(1'000'000'000);

class Bench {
public:
  std::size_t frames_in_file() const {
    capture::CaptureReader reader(path_);
    std::size_t count = 0;
    while (reader.next()) ++count;
    return count;
  }
  void send(std::uint64_t number, base::Instant at) {
    capture.sent({.interface = kang_, .frame = number, .at = at, .bytes = frame_});
  }

private:
  tests::TemporaryFolder folder_;
  std::string path_ = (folder_.path() / "capture.pcapng").string();
  tests::Bytes frame_ = tests::segment(tests::kSyn);

public:
  CaptureFile capture{path_, {}};

private:
  std::uint32_t kang_ = capture.interface("kang", {.name = "eth0"});
};

}  // namespace

TEST_CASE("a frame is written 0.3 s after it was sent, when its effects are known") {
  Bench bench;
  bench.send(1, kStart);
  bench.capture.flush(kStart + 250ms);
  CHECK(bench.frames_in_file() == 0);
  bench.send(2, kStart + 250ms);
  bench.capture.flush(kStart + 350ms);
  CHECK(bench.frames_in_file() == 1);
  bench.capture.finish();
  CHECK(bench.frames_in_file() == 2);
}

TEST_CASE("during a flood only the newest 10,000 frames are held back") {
  Bench bench;
  for (std::uint64_t number = 1; number <= 15'000; ++number) bench.send(number, kStart);
  bench.capture.flush(kStart);
  CHECK(bench.frames_in_file() == 5'000);
}
