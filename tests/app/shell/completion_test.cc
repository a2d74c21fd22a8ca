#include "app/shell/completion.hh"

#include "tests/catch.hh"

using namespace tcplab::app;
using Kind = CompletionQuery::Kind;

TEST_CASE("The text before the cursor decides what is completed", "[completion]") {
  SECTION("a global") {
    const auto query = completion_query("x = kod");
    CHECK(query.kind == Kind::name);
    CHECK(query.prefix == "kod");
  }
  SECTION("a method of a value") {
    const auto query = completion_query("lab:expect(net.kang:po");
    CHECK(query.kind == Kind::member);
    CHECK(query.path == "net.kang");
    CHECK(query.separator == ':');
    CHECK(query.prefix == "po");
  }
  SECTION("a method of a call's result, whatever the arguments are") {
    CHECK(completion_query("lab:expect(client):in").class_name == "subject");
    CHECK(completion_query("lab:expect(f(1, 2)):within(g()):").class_name == "subject");
    CHECK(completion_query("lab:expect(client):call \"read\":").class_name == "expected_call");
    CHECK(completion_query("kang:dnc(kodos, 8080):").class_name == "program");
  }
  SECTION("each verb that makes a fault returns a fault") {
    const auto* verb = GENERATE("lose", "cut", "hold", "delay", "limit", "duplicate", "reorder",
                                "corrupt", "truncate", "mtu");
    CAPTURE(verb);
    const std::string line = std::string("lab:") + verb + "(\"kang > kodos\"):";
    CHECK(completion_query(line).class_name == "fault");
  }
  SECTION("lab:mtu returns a fault, and host:mtu returns the host") {
    CHECK(completion_query("lab:mtu({ mtu = 1400 }):").class_name == "fault");
    CHECK(completion_query("kang:mtu(\"eth0\", 1400):").class_name == "host");
    CHECK(completion_query("kang:plug():mtu(\"eth0\", 1400):").class_name == "host");
  }
  SECTION("values of unknown type have no completion") {
    CHECK(completion_query("f(1):").kind == Kind::nothing);
    CHECK(completion_query(":").kind == Kind::nothing);
    CHECK(completion_query("):").kind == Kind::nothing);
    CHECK(completion_query("}:").kind == Kind::nothing);
    CHECK(completion_query("\":").kind == Kind::text);
  }
  SECTION("a word in quotes") {
    const auto query = completion_query("lab:expect(client):in_state \"EST");
    CHECK(query.kind == Kind::text);
    CHECK(query.method == "in_state");
    CHECK(query.prefix == "EST");
    CHECK(completion_query("x:call('re").method == "call");
    CHECK(completion_query("x:type(\"a \\\" b").method == "type");
  }
}

TEST_CASE("Some methods accept only certain words", "[completion]") {
  CHECK_THAT(words_of("still_in_state"), Catch::Matchers::VectorContains(std::string("TIME_WAIT")));
  CHECK_THAT(words_of("fails"), Catch::Matchers::VectorContains(std::string("EPIPE")));
  CHECK_THAT(words_of("timer"), Catch::Matchers::VectorContains(std::string("rto_min")));
  CHECK_THAT(words_of("kernel"), Catch::Matchers::VectorContains(std::string("reset")));
  CHECK(words_of("type").empty());
}

TEST_CASE("common_beginning() returns the longest common prefix", "[completion]") {
  CHECK(common_beginning({"power_off", "power_on", "power_cycle"}) == "power_");
  CHECK(common_beginning({"plug"}) == "plug");
  CHECK(common_beginning({"plug", "run"}).empty());
  CHECK(common_beginning({}).empty());
}

TEST_CASE("in_columns() fills lines with words", "[completion]") {
  CHECK(in_columns({"plug", "run", "reboot"}, 16) == "plug    run\nreboot\n");
  CHECK(in_columns({"plug", "run"}, 4) == "plug\nrun\n");
}
