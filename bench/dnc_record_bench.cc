// Measures the cost of recording one call: both phases, formatted and buffered. The budget is one
// microsecond. It makes no calls, only their records.

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <benchmark/benchmark.h>
#include <cstdio>
#include <memory>
#include <string>

#include "base/file_descriptor.hh"
#include "dnc/calls/calls.hh"
#include "dnc/log/json_log.hh"

namespace {

using tcplab::base::FileDescriptor;
using tcplab::dnc::ArgumentText;
using tcplab::dnc::CallRecord;
using tcplab::dnc::EventOutput;
using tcplab::dnc::JsonLog;
using tcplab::dnc::Recorder;

FileDescriptor temporary_file() {
  std::FILE* file = std::tmpfile();
  FileDescriptor descriptor(::dup(::fileno(file)));
  std::fclose(file);
  return descriptor;
}

void record_read(Recorder& recorder, std::string_view data, bool waits) {
  CallRecord record{.call = "read", .fd = 4, .waits = waits};
  record.arguments << std::int64_t{65536};
  recorder.enter(record);
  record.result = static_cast<std::int64_t>(data.size());
  record.data = data;
  recorder.leave(record);
}

void record_poll(Recorder& recorder) {
  CallRecord record{.call = "poll", .fd = 4, .waits = false};
  record.arguments << "{fd 0 IN} {fd 4 IN}, timeout none";
  recorder.enter(record);
  record.result = 1;
  record.revents = POLLIN;
  recorder.leave(record);
}

/// A recorder that writes to a file, and truncates it from time to time so as not to fill the disk.
class Fixture {
public:
  Fixture() : file_(temporary_file()) {
    recorder_.add(std::make_unique<JsonLog>(EventOutput(file_.get())));
  }
  Recorder& recorder() { return recorder_; }
  void empty_now_and_then() {
    if (++rounds_ % 100'000 != 0) return;
    if (::ftruncate(file_.get(), 0) == 0) ::lseek(file_.get(), 0, SEEK_SET);
  }

private:
  FileDescriptor file_;
  Recorder recorder_;
  int rounds_ = 0;
};

void read_of_text(benchmark::State& state) {
  Fixture fixture;
  const std::string data(65536, 'x');
  for ([[maybe_unused]] auto _ : state) {
    record_read(fixture.recorder(), data, false);
    fixture.empty_now_and_then();
  }
}
BENCHMARK(read_of_text);

void read_of_zeroes(benchmark::State& state) {  // the most expensive byte to escape
  Fixture fixture;
  const std::string data(65536, '\0');
  for ([[maybe_unused]] auto _ : state) {
    record_read(fixture.recorder(), data, false);
    fixture.empty_now_and_then();
  }
}
BENCHMARK(read_of_zeroes);

void poll(benchmark::State& state) {
  Fixture fixture;
  for ([[maybe_unused]] auto _ : state) {
    record_poll(fixture.recorder());
    fixture.empty_now_and_then();
  }
}
BENCHMARK(poll);

void read_that_may_block(benchmark::State& state) {  // includes the write(2) before the call
  Fixture fixture;
  const std::string data(22, 'x');
  for ([[maybe_unused]] auto _ : state) {
    record_read(fixture.recorder(), data, true);
    fixture.empty_now_and_then();
  }
}
BENCHMARK(read_that_may_block);

}  // namespace

BENCHMARK_MAIN();
