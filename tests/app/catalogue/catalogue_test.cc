#include "app/catalogue/catalogue.hh"

#include <algorithm>

#include "tests/catch.hh"
#include "tests/workshop.hh"

using namespace tcplab;
using app::Catalogue;
using Catch::Matchers::Contains;

namespace fs = std::filesystem;

namespace {

/// A catalogue of close/linger (tag reset), close/half-close, power/power-off (tags outage, reset),
/// and power/broken, which does not load.
class Shelf {
public:
  Shelf() {
    folder_.write("power/power-off.lua", tests::scenario("tags = { 'outage', 'reset' }"));
    folder_.write("power/broken.lua", "return {");
    folder_.write("close/linger.lua", tests::scenario("tags = { 'reset' }"));
    folder_.write("close/half-close.lua", tests::scenario());
    folder_.write("close/notes.txt", "not a scenario");
  }

  using Names = std::vector<std::string>;

  Names select(const std::vector<std::string>& selectors) const {
    Names names;
    for (const fs::path& file : Catalogue(folder_.path()).select(selectors))
      names.push_back(file.stem().string());
    return names;
  }

  std::string path(const std::string& name) const { return (folder_.path() / name).string(); }

private:
  tests::TemporaryFolder folder_;
};

}  // namespace

TEST_CASE("without a selector, all scenarios are selected, ordered by path") {
  CHECK(Shelf().select({}) == Shelf::Names{"half-close", "linger", "broken", "power-off"});
}

TEST_CASE("a scenario is selected by its name") {
  CHECK(Shelf().select({"linger"}) == Shelf::Names{"linger"});
}

TEST_CASE("a script that does not load is selected by its name, too") {
  CHECK(Shelf().select({"broken"}) == Shelf::Names{"broken"});
}

TEST_CASE("scenarios are selected by topic and by tag") {
  CHECK(Shelf().select({"close"}) == Shelf::Names{"half-close", "linger"});
  CHECK(Shelf().select({"reset"}) == Shelf::Names{"linger", "power-off"});
}

TEST_CASE("scenarios are selected by file and by folder, inside and outside the catalogue") {
  const Shelf shelf;
  const tests::TemporaryFolder elsewhere;
  const std::string own = elsewhere.write("mine/own.lua", tests::scenario());
  CHECK(shelf.select({own}) == Shelf::Names{"own"});
  CHECK(shelf.select({elsewhere.path().string()}) == Shelf::Names{"own"});
  CHECK(shelf.select({shelf.path("power")}) == Shelf::Names{"broken", "power-off"});
}

TEST_CASE("several selectors keep their order, and select each scenario once") {
  const Shelf shelf;
  CHECK(shelf.select({"power-off", "close", "reset", "linger", "outage"}) ==
        Shelf::Names{"power-off", "half-close", "linger"});
  CHECK(shelf.select({shelf.path("close/linger.lua"), "linger", shelf.path("close/../close")}) ==
        Shelf::Names{"linger", "half-close"});
}

TEST_CASE("an unknown name is refused, with similar names") {
  const std::string message = tests::complaint([] { Shelf().select({"power-of"}); });
  CHECK_THAT(message, Contains("\"power-of\"") && Contains("did you mean power-off"));
  CHECK(message.find('\n') == std::string::npos);
}

TEST_CASE("an unknown name among known ones is refused") {
  CHECK_THAT(tests::complaint([] {
               Shelf().select({"linger", "lingre"});
             }),
             Contains("\"lingre\"") && Contains("did you mean linger"));
}

TEST_CASE("an empty folder and a missing folder are refused") {
  const tests::TemporaryFolder empty;
  CHECK_THAT(tests::complaint([&] { Shelf().select({empty.path().string()}); }),
             Contains("no .lua file is below this folder"));
  CHECK_THAT(tests::complaint([&] { Catalogue(empty.path()).select({"linger"}); }),
             Contains("there is no scenario"));
  CHECK_THAT(tests::complaint([&] { Catalogue(empty.path() / "gone").files(); }),
             Contains("gone: ") && Contains("No such file"));
}

TEST_CASE("each shipped scenario says for which kernels its answer is true") {
  const auto files = Catalogue(Catalogue::default_folder()).files();
  REQUIRE(files.size() > 200);
  for (const fs::path& file : files) {
    const app::Script script(file.string());
    for (const app::ScriptInfo& scenario : script.scenarios()) {
      const bool says = scenario.here.find("Linux") != std::string::npos;
      const bool needs = std::ranges::any_of(
          scenario.needs, [](const std::string& need) { return need.starts_with("kernel "); });
      INFO(scenario.name);
      CHECK((says || needs));
    }
  }
}

namespace {

using Texts = std::vector<std::string>;

Texts narrowed(const Texts& topics, const Texts& tags) {
  std::vector<app::ScriptInfo> scripts(3);
  scripts[0] = {.name = "linger", .topic = "close", .tags = {"reset", "close"}};
  scripts[1] = {.name = "half-close", .topic = "close", .tags = {"fin"}};
  scripts[2] = {.name = "power-off", .topic = "power", .tags = {"reset"}};
  Texts names;
  for (const auto& script : app::narrow(std::move(scripts), topics, tags))
    names.push_back(script.name);
  return names;
}

}  // namespace

TEST_CASE("selected scenarios are narrowed by topic and by tag") {
  CHECK(narrowed({}, {}) == Texts{"linger", "half-close", "power-off"});
  CHECK(narrowed({"close"}, {}) == Texts{"linger", "half-close"});
  CHECK(narrowed({}, {"reset"}) == Texts{"linger", "power-off"});
  CHECK(narrowed({"close"}, {"reset"}) == Texts{"linger"});
  CHECK(narrowed({"power"}, {"fin"}).empty());
}

TEST_CASE("a scenario needs only one of several topics or tags") {
  CHECK(narrowed({"close", "power"}, {}) == Texts{"linger", "half-close", "power-off"});
  CHECK(narrowed({}, {"fin", "close"}) == Texts{"linger", "half-close"});
}

TEST_CASE("a topic or tag without a scenario is refused, with the nearest one") {
  const std::string topic = tests::complaint([] { narrowed({"clothes"}, {}); });
  CHECK_THAT(topic, Contains("the topic \"clothes\"") && Contains("choose from close, power"));
  const std::string tag = tests::complaint([] { narrowed({}, {"resett"}); });
  CHECK_THAT(tag, Contains("the tag \"resett\"") && Contains("did you mean reset"));
}
