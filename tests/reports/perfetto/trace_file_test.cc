#include "reports/perfetto/trace_file.hh"

#include "tests/catch.hh"

namespace tcplab::reports::tests {

namespace {

using base::Instant;
using std::chrono::microseconds;
using Json = TraceFile::Json;

struct Drawn {
  std::string name;
  double begin;
  double duration;

  bool operator==(const Drawn&) const = default;
};

std::vector<Drawn> slices_of(TraceFile& file) {
  std::vector<Drawn> drawn;
  const Json document = Json::parse(file.text(Instant(microseconds(100)), Json::object()));
  for (const Json& event : document["traceEvents"])
    if (event["ph"] == "X") drawn.push_back({event["name"], event["ts"], event["dur"]});
  return drawn;
}

/// A file with one row.
struct Row {
  TraceFile file{};
  int thread = file.add_thread(file.add_process("kang", ""), "row", 0);

  void add(const std::string& name, int begin, int end) {
    file.add_slice(thread, name, Instant(microseconds(100 + begin)),
                   Instant(microseconds(100 + end)), {});
  }
};

}  // namespace

TEST_CASE("a slice that the next one would overlap is shortened") {
  Row row;
  row.add("second", 12, 17);
  row.add("first", 10, 15);
  CHECK(slices_of(row.file) == std::vector<Drawn>{{"first", 10, 2}, {"second", 12, 5}});
}

TEST_CASE("a slice within another one, and one after it, stay as they are") {
  Row row;
  row.add("outer", 10, 20);
  row.add("inner", 12, 20);
  row.add("next", 20, 25);
  CHECK(slices_of(row.file) ==
        std::vector<Drawn>{{"outer", 10, 10}, {"inner", 12, 8}, {"next", 20, 5}});
}

TEST_CASE("a slice that overlaps an inner one shortens only that") {
  Row row;
  row.add("outer", 10, 30);
  row.add("inner", 12, 18);
  row.add("next", 15, 20);
  CHECK(slices_of(row.file) ==
        std::vector<Drawn>{{"outer", 10, 20}, {"inner", 12, 3}, {"next", 15, 5}});
}

TEST_CASE("of two slices that begin together, the second begins a nanosecond later") {
  Row row;
  row.add("first", 10, 15);
  row.add("second", 10, 10);
  CHECK(slices_of(row.file) == std::vector<Drawn>{{"first", 10, 5}, {"second", 10.001, 0.001}});
}

}  // namespace tcplab::reports::tests
