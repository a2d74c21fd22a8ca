#include "uml/message.hh"

#include "base/error.hh"
#include "tests/catch.hh"
#include "uml/configuration.hh"

using namespace tcplab;
using uml::PayloadReader;
using uml::PayloadWriter;

TEST_CASE("a payload is read as it was written", "[message]") {
  PayloadWriter to;
  to.number(0).number(UINT64_MAX).text("").text("a\0b").bytes(uml::as_bytes("xyz"));
  to.list(std::vector<int>{1, 2, 3},
          [](PayloadWriter& list, int item) { list.number(static_cast<std::uint64_t>(item)); });
  to.rest(uml::as_bytes("the rest"));
  PayloadReader from(to.payload());
  CHECK(from.number() == 0);
  CHECK(from.number() == UINT64_MAX);
  CHECK(from.text().empty());
  CHECK(from.text() == "a");
  CHECK(uml::as_text(from.bytes()) == "xyz");
  std::vector<int> items;
  from.list([&](PayloadReader& each) { items.push_back(each.as<int>()); });
  CHECK(items == std::vector<int>{1, 2, 3});
  CHECK(uml::as_text(from.rest()) == "the rest");
  CHECK(from.rest().empty());
}

TEST_CASE("a payload that is too short is an error", "[message]") {
  PayloadWriter to;
  to.number(1000).text("shorter");
  PayloadReader from(to.payload());
  CHECK_THROWS_AS(from.bytes(), base::LabError);
  PayloadReader empty({});
  CHECK_THROWS_AS(empty.number(), base::LabError);
}

TEST_CASE("negative numbers survive", "[message]") {
  PayloadWriter to;
  to.number(static_cast<std::uint64_t>(-5));
  CHECK(PayloadReader(to.payload()).as<int>() == -5);
}

TEST_CASE("a program to start is read as it was written", "[message]") {
  uml::ProgramStart start;
  start.command = {"sh", "-c", "echo 'a b'"};
  start.environment = {{"PATH", "/bin"}, {"EMPTY", ""}};
  start.privileges = netns::Privileges::server;
  start.user_namespaces = true;
  start.user = netns::ProgramUser{.user = 65534, .group = 65533, .groups = {1, 2}};
  start.folder = "/var";
  start.limits = {{"nofile", 7, 256}};
  start.mark.number = 12;
  start.has_terminal = true;
  start.descriptors = {{0, uml::StreamKind::input}, {3, uml::StreamKind::output}};
  start.trace = {"impose", "trace 0"};
  const uml::ProgramStart read = uml::read_program_start(uml::write_payload(start));
  CHECK(read.command == start.command);
  CHECK(read.environment == start.environment);
  CHECK(read.privileges == start.privileges);
  CHECK(read.user_namespaces);
  REQUIRE(read.user);
  CHECK(read.user->user == 65534);
  CHECK(read.user->group == 65533);
  CHECK(read.user->groups == start.user->groups);
  CHECK(read.folder == start.folder);
  REQUIRE(read.limits.size() == 1);
  CHECK(read.limits[0].name == "nofile");
  CHECK(read.limits[0].value == 256);
  CHECK(read.mark.number == 12);
  CHECK(read.has_terminal);
  CHECK(read.descriptors == start.descriptors);
  CHECK(read.trace == start.trace);
}

TEST_CASE("a private file is read as it was written", "[message]") {
  const netns::PrivateFile file{.path = "/tmp/a",
                                .text = std::string("a\0b", 3),
                                .mode = 0600,
                                .owner = netns::ProgramUser{7, 8, {}}};
  const netns::PrivateFile read = uml::read_private_file(uml::write_payload(file));
  CHECK(read.path == file.path);
  CHECK(read.text == file.text);
  CHECK(read.mode == file.mode);
  REQUIRE(read.owner);
  CHECK(read.owner->user == 7);
  CHECK(read.owner->group == 8);
}

TEST_CASE("the choice of tracepoints is read as it was written", "[message]") {
  const std::vector<netns::TracepointChoice> choices{
      {.event = "tcp/tcp_send_reset", .filter = ""},
      {.event = "skb/kfree_skb", .filter = "common_pid == 1"}};
  const auto read = uml::read_tracepoints(uml::write_payload(choices));
  REQUIRE(read.size() == choices.size());
  for (std::size_t i = 0; i < read.size(); ++i) {
    CHECK(read[i].event == choices[i].event);
    CHECK(read[i].filter == choices[i].filter);
  }
}

TEST_CASE("a configuration is read as it was written", "[message]") {
  const uml::Configuration configuration{.name = "kang",
                                         .hosts = "127.0.0.1 localhost\n",
                                         .folder = "/root",
                                         .shown = {"/tmp/a", "/run/b"},
                                         .nics = {"eth0", "eth1"}};
  const uml::Configuration read = uml::read_configuration(uml::write_payload(configuration));
  CHECK(read.name == configuration.name);
  CHECK(read.hosts == configuration.hosts);
  CHECK(read.folder == configuration.folder);
  CHECK(read.shown == configuration.shown);
  CHECK(read.nics == configuration.nics);
}
