#include "reports/html/packed.hh"

#include <zlib.h>

#include <boost/archive/iterators/binary_from_base64.hpp>
#include <boost/archive/iterators/transform_width.hpp>
#include <random>

#include "reports/html/layout.hh"
#include "reports/html/run_data.hh"
#include "tests/catch.hh"
#include "tests/reports/sample_run.hh"

namespace tcplab::reports::tests {

namespace {

/// Unpacks as unpack() in report.js does.
std::string unpacked(const std::string& text, std::size_t size) {
  using namespace boost::archive::iterators;
  using Octets = transform_width<binary_from_base64<std::string::const_iterator>, 8, 6>;
  REQUIRE(text.size() % 4 == 0);
  const auto digits = text.find('=') == std::string::npos ? text.size() : text.find('=');
  std::string octets;
  Octets from(text.begin());
  for (std::size_t count = digits * 6 / 8; count > 0; --count) octets += *from++;
  std::string out(size, '\0');
  uLongf length = out.size();
  REQUIRE(::uncompress(reinterpret_cast<Bytef*>(out.data()), &length,
                       reinterpret_cast<const Bytef*>(octets.data()), octets.size()) == Z_OK);
  REQUIRE(length == size);
  return out;
}

std::string data(const SampleRun& run) {
  html::RunGatherer gatherer;
  for (const Event& event : run.events()) gatherer.event(event);
  gatherer.finish();
  const html::PageRun story = gatherer.take();
  return html::run_data(story, html::lay_out(story));
}

}  // namespace

TEST_CASE("a packed text of any length can be unpacked") {
  std::mt19937 random(7);
  std::string text;
  for (int size = 0; size < 300; ++size, text += char(random() % 256)) {
    const std::string packed = html::packed(text);
    CHECK(unpacked(packed, text.size()) == text);
    CHECK(packed.find('<') == std::string::npos);
  }
}

TEST_CASE("packing makes a page's data less than half as long") {
  for (const SampleRun& run : {power_cycle(), with_loss(), hostile_text()}) {
    const std::string text = data(run);
    const std::string packed = html::packed(text);
    CHECK(unpacked(packed, text.size()) == text);
    CHECK(packed.size() * 2 < text.size());
  }
}

TEST_CASE("a page's times count from the start of the run") {
  const std::string text = data(power_cycle());
  CHECK(text.find("\"sent\":-") == std::string::npos);
  const auto sent = text.find("\"sent\":");
  REQUIRE(sent != std::string::npos);
  CHECK(text.find(',', sent) - sent < 20);
}

}  // namespace tcplab::reports::tests
