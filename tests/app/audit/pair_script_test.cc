// The script that `tcplab audit` writes for a pair.
#include "app/audit/pair_script.hh"

#include "app/audit/duration.hh"
#include "app/script/script.hh"
#include "tests/catch.hh"
#include "tests/workshop.hh"

using namespace tcplab;
using namespace tcplab::app;
using namespace std::chrono_literals;
using Catch::Matchers::Contains;

TEST_CASE("the script of a pair is an audit, whatever its words are") {
  const std::string text = script_of({.server = "server --name \"it's\\me\" $X",
                                      .port = 7000,
                                      .client = {"/usr/bin/client", "SERVER:7000", "a\nb\x01"},
                                      .requests = {"PING"}});
  CHECK_THAT(text, Contains(R"(title = "client and server")") &&
                       Contains(R"(server = "server --name \"it's\\me\" $X")") &&
                       Contains(R"("a\010b\001")") && Contains(R"(requests = { "PING\010" })"));
  tests::TemporaryFolder folder;
  const Script script(folder.write("audit.lua", text));
  CHECK(script.info().title == "client and server");
  CHECK(script.scenarios().front().case_name == "baseline");
  CHECK(script.scenarios().size() > 100);
}

TEST_CASE("the title names the program that serves, not what prepares it") {
  const auto titled = [](const std::string& command) {
    return script_of({.server = command, .port = 1, .client = {"/usr/bin/rsync", "SERVER"}});
  };
  CHECK_THAT(titled("printf x > /tmp/r.conf; exec rsync --daemon"),
             Contains("\"rsync and rsync\""));
  CHECK_THAT(titled("cd /tmp && A=1 ./server &"), Contains("\"rsync and server\""));
}

TEST_CASE("the example is an audit") {
  tests::TemporaryFolder folder;
  CHECK(Script(folder.write("audit.lua", example_script())).scenarios().size() > 100);
}

TEST_CASE("a wrong field of an audit is refused, with its name") {
  tests::TemporaryFolder folder;
  const auto error = [&](const std::string& fields) {
    const std::string file = folder.write(
        "audit.lua", "return include('tcplab/audit/audit.lib.lua') { " + fields + " }");
    return tests::complaint([&] { const Script script(file); });
  };
  CHECK_THAT(error("sever = {}"), Contains("audit.lua: an audit has no field `sever`"));
  CHECK_THAT(error("server = { 'x' }"), Contains("an audit needs the server's port"));
  CHECK_THAT(error("port = 1"), Contains("an audit needs the server's command"));
  CHECK_THAT(error("port = 1, server = { 'x' }"), Contains("an audit needs the client's command"));
}

TEST_CASE("durations are written as people do") {
  CHECK(parse_duration("20") == 20s);
  CHECK(parse_duration("20s") == 20s);
  CHECK(parse_duration("5m") == 300s);
  CHECK(parse_duration("2h") == 7200s);
  for (const char* wrong : {"", "0", "-1", "s", "1d", "1.5s", "25h", "99999999999999999999"})
    CHECK_FALSE(parse_duration(wrong));
}
