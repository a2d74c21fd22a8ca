#include "app/cli/read_progress.hh"

#include <sstream>

#include "tests/catch.hh"

namespace tcplab::app::tests {

namespace {

void read_frames(ReadProgress& progress, std::uint64_t count) {
  for (std::uint64_t i = 0; i < count; ++i) progress.frame();
}

}  // namespace

TEST_CASE("The reading of a file shows its progress from 2 s on, on a terminal only") {
  for (const bool is_terminal : {true, false}) {
    std::ostringstream out;
    ReadProgress::Clock::time_point now{};
    {
      ReadProgress progress(out, is_terminal, "big.pcap", [&now] { return now; });
      now += std::chrono::milliseconds(1999);
      read_frames(progress, ReadProgress::kPause);
      CHECK(out.str().empty());
      now += std::chrono::milliseconds(1);
      read_frames(progress, ReadProgress::kPause - 1);
      CHECK(out.str().empty());
      read_frames(progress, 1);
      CHECK(out.str() == (is_terminal ? "\r\033[Kreading big.pcap: 0.0 million frames" : ""));
      read_frames(progress, 2 * ReadProgress::kPause);  // at once: too soon to show it again
      out.str("");
      now += std::chrono::seconds(1);
      read_frames(progress, 3 * ReadProgress::kPause);
      CHECK(out.str() == (is_terminal ? "\r\033[Kreading big.pcap: 0.1 million frames" : ""));
      out.str("");
    }
    CHECK(out.str() == (is_terminal ? "\r\033[K" : ""));  // erased
  }
}

}  // namespace tcplab::app::tests
