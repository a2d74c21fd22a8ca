#include "capture/event/event_json.hh"
#include "tests/catch.hh"

using namespace tcplab::capture;

TEST_CASE("a stored value is a number, a name or the members of a struct") {
  const auto [json, value] = GENERATE(table<const char*, StoredValue>(
      {{"1448", std::int64_t{1448}},
       {"\"cubic\"", std::string("cubic")},
       {R"({"l_linger":0,"l_onoff":1})",
        std::vector<StructMember>{{"l_linger", 0}, {"l_onoff", 1}}}}));
  const std::string line =
      R"({"t":1,"kind":"call","phase":"return","call":"getsockopt","args":"SO_X","entered":1,)"
      R"("result":0,"value":)" +
      std::string(json) + "}";
  const Event event = parse_event(line);
  CHECK(std::get<Call>(event.body).value == value);
  CHECK(to_json_line(event) == line);
}

TEST_CASE("SO_ERROR without an error has the value 0") {
  const Event event = parse_event(
      R"({"t":1,"kind":"call","phase":"return","call":"getsockopt","args":"SO_ERROR","value":0})");
  CHECK(std::get<Call>(event.body).error == 0);
  CHECK(std::get<Call>(event.body).value == StoredValue(std::int64_t{0}));
}
