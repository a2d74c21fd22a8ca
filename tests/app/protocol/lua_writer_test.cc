#include "app/protocol/lua_writer.hh"

#include <algorithm>

#include "app/script/sandbox.hh"
#include "app/verbs/script_interface.hh"
#include "base/error.hh"
#include "tests/catch.hh"

using namespace tcplab::app;
using nlohmann::json;

namespace {

struct InterfaceBench {
  InterfaceBench() { install_script_interface(sandbox.state()); }

  Sandbox sandbox;
};

struct WriterBench : InterfaceBench {
  std::string value(const char* said) { return writer().value(json::parse(said)); }
  std::string call(const char* said) { return writer().call(json::parse(said)); }
  LuaWriter writer() { return {handles, LuaWriter::For::reader}; }

  Handles handles{sandbox.state(), "mine"};
};

}  // namespace

TEST_CASE("an argument in JSON is written as Lua") {
  WriterBench bench;
  CHECK(bench.value("null") == "nil");
  CHECK(bench.value("[true, -7, 0.25, 1e30]") == "{true, -7, 0.25, 1e+30}");
  CHECK(bench.value(R"({"a": [1], "2": "x"})") == R"({[2] = "x", ["a"] = {1}})");
  CHECK(bench.value(R"("\"]]\\\n\u0000\u00fc")") == "\"\\\"]]\\\\\\n\\000\u00fc\"");
  CHECK(bench.value(R"({"01": 1, "1.5": 2})") == R"({["01"] = 1, ["1.5"] = 2})");
}

TEST_CASE("a call names a verb or a field of its object") {
  WriterBench bench;
  CHECK(bench.call(R"({"verb": "wait", "args": [1]})") == "lab:wait(1)");
  CHECK(bench.call(R"({"on": {"handle": 0}, "field": "family"})") == "lab.family");
  CHECK(bench.value(R"({"do": [{"verb": "say", "args": ["x"]}, {"verb": "now"}]})") ==
        R"(function() lab:say("x"); lab:now(); end)");
}

TEST_CASE("a writer knows the objects that it wrote") {
  WriterBench bench;
  LuaWriter writer(bench.handles, LuaWriter::For::execution);
  CHECK(writer.value(R"({"1": 2})"_json) == "{[1] = 2}");
  CHECK(writer.objects().empty());
  CHECK(writer.value(R"({"do": [{"verb": "now"}]})"_json) == "function() h[0]:now(); end");
  CHECK(writer.objects() == std::set<std::uint64_t>{0});
}

TEST_CASE("a call that is none is refused") {
  WriterBench bench;
  const auto said =
      GENERATE(R"({"verb": "pear"})", R"({"verb": "wait(1) lab:wait"})", R"({})",
               R"({"on": {"handle": 1}, "verb": "name"})",
               R"({"on": {"handle": 0, "session": "other"}, "verb": "now"})",
               R"({"on": {"handle": "0"}, "verb": "now"})", R"({"on": [], "verb": "now"})",
               R"({"verb": null})", R"({"verb": "wait", "args": "1"})",
               R"({"verb": "wait", "args": [{"do": [{"verb": "pear"}]}]})");
  CHECK_THROWS_AS(bench.call(said), tcplab::base::UsageError);
}

TEST_CASE("no option of a verb is called like a handle or a function of a request") {
  for (const LuaTable* table : script_interface().tables()) {
    const std::vector<std::string> names = field_names(*table);
    CHECK(std::ranges::find(names, "handle") == names.end());
    CHECK(std::ranges::find(names, "do") == names.end());
  }
}
