// Checks that a run's capture file delays frames for their comments, but only for a bounded time
// and number, and for a shorter time if somebody reads them.
#include "lab/record/capture_file.hh"

#include <chrono>
#include <fstream>
#include <iterator>
#include <string>

#include "base/file_descriptor.hh"
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
  explicit Bench(lab::CaptureStream* stream = nullptr) : stream_(stream) {}

  std::size_t frames_in_file() const {
    capture::CaptureReader reader(path_);
    std::size_t count = 0;
    while (reader.next()) ++count;
    return count;
  }
  void send(std::uint64_t number, base::Instant at) {
    capture.sent({.interface = kang_, .frame = number, .at = at, .bytes = frame_});
  }
  /// Kang's dnc calls connect(2), whose SYN is frame 1. The return is reported that long
  /// afterwards. Returns whether the comment has what the call has returned.
  bool knows_return_reported_after(base::nanoseconds lateness) {
    const capture::Interface nic{"eth0", "02:00:00:00:00:01", {"10.0.0.1"}};
    capture.event({.number = 1, .at = kStart - 1ms, .body = capture::HostUp{"kang", 1, {nic}}});
    capture::Call connect = tests::returned("connect", 0);
    connect.phase = capture::CallPhase::enter;
    connect.remote = tests::kKangsEnd.remote;
    capture.event({.number = 2, .at = kStart - 10us, .body = connect});
    capture::Packet syn;
    syn.frame = 1;
    syn.from = "kang";
    syn.to = "kodos";
    syn.sent = kStart;
    syn.protocol = "TCP";
    syn.source = tests::kKangsEnd.local;
    syn.destination = tests::kKangsEnd.remote;
    syn.flags = "S";
    syn.delivered = kStart + 1us;
    capture.event({.number = 3, .at = kStart, .body = syn});
    send(1, kStart);
    for (auto now = kStart; now < kStart + lateness; now += 50ms) capture.flush(now);
    connect.phase = capture::CallPhase::leave;
    connect.result = 0;
    connect.entered = kStart - 10us;
    connect.local = tests::kKangsEnd.local;
    capture.event({.number = 4, .at = kStart + 100us, .body = connect});
    capture.finish();
    std::ifstream file(path_, std::ios::binary);
    const std::string bytes(std::istreambuf_iterator<char>(file), {});
    const std::string call = "caused by kang's dnc: connect(3, 10.0.0.2:8080)";
    CHECK(bytes.find(call) != std::string::npos);
    return bytes.find(call + " = 0") != std::string::npos;
  }

private:
  lab::CaptureStream* stream_;
  tests::TemporaryFolder folder_;
  std::string path_ = (folder_.path() / "capture.pcapng").string();
  tests::Bytes frame_ = tests::segment(tests::kSyn);

public:
  CaptureFile capture{path_, {}, stream_};

private:
  std::uint32_t kang_ = capture.interface("kang", {.name = "eth0"});
};

}  // namespace

TEST_CASE("a frame that somebody waits for is written 0.3 s after it was sent") {
  base::Pipe reader = base::make_pipe();
  lab::CaptureStream stream({.descriptor = reader.write_end.get()});
  Bench bench(&stream);
  bench.send(1, kStart);
  bench.capture.flush(kStart + 250ms);
  CHECK(bench.frames_in_file() == 0);
  bench.send(2, kStart + 250ms);
  bench.capture.flush(kStart + 350ms);
  CHECK(bench.frames_in_file() == 1);
  bench.capture.finish();
  CHECK(bench.frames_in_file() == 2);
}

TEST_CASE(
    "a call that a busy machine reports late is in the comment, unless somebody waits for it") {
  CHECK(Bench().knows_return_reported_after(1900ms));
  CHECK_FALSE(Bench().knows_return_reported_after(2500ms));
  base::Pipe reader = base::make_pipe();
  lab::CaptureStream stream({.descriptor = reader.write_end.get()});
  CHECK_FALSE(Bench(&stream).knows_return_reported_after(1900ms));
}

TEST_CASE("during a flood only the newest 10,000 frames are held back") {
  Bench bench;
  for (std::uint64_t number = 1; number <= 15'000; ++number) bench.send(number, kStart);
  bench.capture.flush(kStart);
  CHECK(bench.frames_in_file() == 5'000);
}
