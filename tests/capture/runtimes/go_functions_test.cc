// The table of functions of a Go program, in the formats of Go 1.18 and of Go 1.20.
#include "capture/runtimes/go_functions.hh"

#include "tests/capture/memory/written_memory.hh"
#include "tests/catch.hh"

using namespace tcplab;
using capture::Address;
using capture::GoFunctions;
using capture::GoTables;
using capture::UnreadableMemory;

namespace {

constexpr Address kGoTable = 0x5000;
constexpr Address kGoNames = kGoTable + 0x100;
constexpr Address kGoUnits = kGoTable + 0x200;
constexpr Address kGoFiles = kGoTable + 0x300;
constexpr Address kGoValues = kGoTable + 0x400;
constexpr Address kGoFunctions = kGoTable + 0x600;
constexpr Address kGoData = 0x8000;
constexpr Address kGoText = 0x10000;

/// A table with main.outer at 0x10000, into which main.inner was inlined from 0x1000c to 0x10020,
/// and runtime.goexit at 0x10040. The text ends at 0x10080.
class GoTable {
public:
  explicit GoTable(bool is_120, Address text = kGoText) : is_120_(is_120) {
    memory.put(kGoTable, is_120 ? 0xfffffff1U : 0xfffffff0U);
    memory.put(kGoTable + 4, std::array<std::uint8_t, 4>{0, 0, 1, 8});
    const std::array<std::uint64_t, 8> words = {2,
                                                1,
                                                text,
                                                kGoNames - kGoTable,
                                                kGoUnits - kGoTable,
                                                kGoFiles - kGoTable,
                                                kGoValues - kGoTable,
                                                kGoFunctions - kGoTable};
    memory.put(kGoTable + 8, words);
    memory.put_text(kGoNames, std::string_view("\0main.outer\0main.inner\0runtime.goexit\0", 38));
    memory.put(kGoUnits, 0U);
    memory.put_text(kGoFiles, std::string_view("/src/a.go\0", 10));
    put_values(1, {{0, 4}, {24, 0x40}});                   // sizes of the frame
    put_values(0x20, {{0, 0x40}});                         // files
    put_values(0x40, {{21, 0xc}, {7, 0x20}, {22, 0x40}});  // lines
    put_values(0x60, {{-1, 0xc}, {0, 0x20}, {-1, 0x40}});  // what is inlined
    memory.put(kGoFunctions, std::array<std::uint32_t, 5>{0, 0x40, 0x40, 0xc0, 0x80});
    put_function(0x40, {0, 1, 0, 0, 1, 0x20, 0x40, 3, 0}, {0, 0, 0x60}, {~0U, ~0U, ~0U, 0});
    put_function(0xc0, {0x40, 23, 0, 0, 0x80, 0, 0, 0, 0}, {}, {});
    put_values(0x80, {{0, 0x40}});
    if (is_120)
      memory.put(kGoData, std::array<std::uint32_t, 4>{0, 12, 8, 5});
    else
      memory.put(kGoData, std::array<std::uint32_t, 5>{0xffff, 0, 21, 12, 8});
  }

  GoTables tables() const { return {.functions = kGoTable, .text = 0, .data = kGoData}; }

  tests::WrittenMemory memory;

private:
  struct Step {
    int value;
    std::uint32_t until;
  };

  void put_values(Address at, std::initializer_list<Step> steps) {
    int last = -1;
    std::uint32_t counter = 0;
    at += kGoValues;
    for (const Step& step : steps) {
      const int change = step.value - last;
      memory.put(at++, static_cast<std::uint8_t>(change < 0 ? -2 * change - 1 : 2 * change));
      memory.put(at++, static_cast<std::uint8_t>(step.until - counter));
      last = step.value;
      counter = step.until;
    }
    memory.put(at, std::uint8_t{0});
  }

  void put_function(Address at, const std::vector<std::uint32_t>& words,
                    const std::vector<std::uint32_t>& values,
                    const std::vector<std::uint32_t>& data) {
    at += kGoFunctions;
    std::vector<std::uint32_t> all = words;
    if (is_120_) all.push_back(20);  // the line of its definition
    all.push_back(static_cast<std::uint32_t>(data.size()) << 24);
    all.insert(all.end(), values.begin(), values.end());
    all.insert(all.end(), data.begin(), data.end());
    for (const std::uint32_t word : all) {
      memory.put(at, word);
      at += sizeof word;
    }
  }

  bool is_120_;
};

}  // namespace

TEST_CASE("an address has its function, its line, and what was inlined there") {
  for (const bool is_120 : {false, true}) {
    const GoTable table(is_120);
    const GoFunctions functions(table.memory, table.tables());
    const capture::GoCode& inlined = functions.before(kGoText + 0x11);
    CHECK(inlined.frame_size == 24);
    CHECK(inlined.frames == std::vector<capture::RuntimeFrame>{
                                {.function = "main.inner", .file = "/src/a.go", .line = 7},
                                {.function = "main.outer", .file = "/src/a.go", .line = 21}});
    CHECK(functions.before(kGoText + 0x30).frames ==
          std::vector<capture::RuntimeFrame>{
              {.function = "main.outer", .file = "/src/a.go", .line = 22}});
    CHECK(functions.before(kGoText + 2).frame_size == 0);  // it has not made its frame yet
  }
}

TEST_CASE("a call that a function ends with belongs to that function") {
  const GoTable table(true);
  const GoFunctions functions(table.memory, table.tables());
  CHECK(functions.before(kGoText + 0x40).frames.front().function == "main.outer");
  CHECK(functions.before(kGoText + 0x41).frames.front().function == "runtime.goexit");
}

TEST_CASE("addresses outside of Go's functions have no name") {
  const GoTable table(true);
  const GoFunctions functions(table.memory, table.tables());
  CHECK_THROWS_AS(functions.before(kGoText), UnreadableMemory);
  CHECK_THROWS_AS(functions.before(kGoText + 0x81), UnreadableMemory);
  CHECK_THROWS_AS(functions.before(0), UnreadableMemory);
}

TEST_CASE("without the tree of what was inlined, a function has no line that is not its own") {
  const GoTable table(false);
  const GoFunctions functions(table.memory, {.functions = kGoTable});
  CHECK(functions.before(kGoText + 0x11).frames ==
        std::vector<capture::RuntimeFrame>{{.function = "main.outer"}});
  CHECK(functions.before(kGoText + 0x30).frames.front().line == 22);
}

TEST_CASE("a table that does not say where the text is needs a symbol") {
  const GoTable table(true, 0);
  CHECK_THROWS_AS(GoFunctions(table.memory, table.tables()), UnreadableMemory);
  const GoFunctions functions(table.memory,
                              {.functions = kGoTable, .text = kGoText, .data = kGoData});
  CHECK(functions.before(kGoText + 0x30).frames.front().function == "main.outer");
}

TEST_CASE("tables of other formats are refused") {
  for (const std::uint32_t magic : {0xfffffffaU, 0xfffffffbU, 0xfffffff2U, 0U}) {
    GoTable table(true);
    table.memory.put(kGoTable, magic);
    CHECK_THROWS_AS(GoFunctions(table.memory, table.tables()), UnreadableMemory);
  }
  GoTable narrow(true);
  narrow.memory.put(kGoTable + 7, std::uint8_t{4});  // a 32-bit machine
  CHECK_THROWS_AS(GoFunctions(narrow.memory, narrow.tables()), UnreadableMemory);
  GoTable damaged(true);
  damaged.memory.put(kGoFunctions + 0x40, 4U);  // another entry than the index says
  const GoFunctions functions(damaged.memory, damaged.tables());
  CHECK_THROWS_AS(functions.before(kGoText + 0x11), UnreadableMemory);
}
