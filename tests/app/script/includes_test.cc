// Scripts share code by `include`, which does not leave the scenario's folder.
#include "app/script/includes.hh"

#include <fcntl.h>

#include "app/script/script.hh"
#include "base/file_descriptor.hh"
#include "tests/catch.hh"
#include "tests/workshop.hh"

using namespace tcplab;
using Catch::Matchers::Contains;

namespace {

/// A folder with a scenario whose title is the value of an expression.
class Shelf {
public:
  std::string title(const std::string& expression) {
    const std::string file = folder_.write(
        "mine/own.lua", "local t = " + expression +
                            "\nreturn { title = t, asks = 'q', run = function(lab) end }\n");
    return app::Script(file).info().title;
  }
  std::string error(const std::string& expression) {
    return tests::complaint([&] { title(expression); });
  }
  void write(const std::string& name, const std::string& text) { folder_.write(name, text); }
  const std::filesystem::path& path() const { return folder_.path(); }

private:
  tests::TemporaryFolder folder_;
};

}  // namespace

TEST_CASE("an included file gives its value, relative to the file that includes it") {
  Shelf shelf;
  shelf.write("mine/lib.lua", "return include 'more/texts.lua'.title");
  shelf.write("mine/more/texts.lua", "return { title = include 'word.lua' .. '!' }");
  shelf.write("mine/more/word.lua", "return 'shared'");
  CHECK(shelf.title("include 'lib.lua'") == "shared!");
}

TEST_CASE("an included file runs once") {
  Shelf shelf;
  shelf.write("mine/lib.lua", "return {}");
  CHECK(shelf.title("include 'lib.lua' == include 'lib.lua' and 'same' or 'other'") == "same");
}

TEST_CASE("there is no way out of the scenario's folder") {
  Shelf shelf;
  shelf.write("secret.lua", "return 'secret'");
  shelf.write("mine/lib.lua", "return include '../secret.lua'");
  std::filesystem::create_symlink(shelf.path() / "secret.lua", shelf.path() / "mine/link.lua");
  CHECK_THAT(shelf.error("include '../secret.lua'"),
             Contains("own.lua:1: include") && Contains("not below the scenario's folder"));
  CHECK_THAT(shelf.error("include 'lib.lua'"),
             Contains("lib.lua:1: ") && Contains("not below the scenario's folder"));
  CHECK_THAT(shelf.error("include 'link.lua'"), Contains("not below the scenario's folder"));
  CHECK_THAT(shelf.error("include '/etc/passwd'"), Contains("relative"));
}

TEST_CASE("what cannot be included is refused in one line") {
  Shelf shelf;
  shelf.write("mine/a.lua", "return include 'b.lua'");
  shelf.write("mine/b.lua", "return include 'a.lua'");
  shelf.write("mine/bad.lua", "\nreturn {");
  shelf.write("mine/fails.lua", "\n\nerror 'no luck'");
  shelf.write("mine/self.lua", "return include 'own.lua'");
  CHECK_THAT(shelf.error("include 'none.lua'"),
             Contains("own.lua:1: ") && Contains("no such file"));
  CHECK_THAT(shelf.error("include 'a.lua'"),
             Contains("a.lua includes b.lua includes a.lua") && Contains("b.lua:1: "));
  CHECK_THAT(shelf.error("include 'self.lua'"), Contains("include each other"));
  CHECK_THAT(shelf.error("include 'bad.lua'"), Contains("bad.lua:2: "));
  CHECK_THAT(shelf.error("include 'fails.lua'"), Contains("fails.lua:3: no luck"));
  CHECK_THAT(shelf.error("include '.'"), Contains("not a file"));
}

TEST_CASE("a script without a path of its own runs, too") {
  tests::TemporaryFolder folder;
  const std::string file =
      folder.write("own.lua", "return { title = 'open', asks = 'q', run = function(lab) end }\n");
  const base::FileDescriptor open(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  std::filesystem::remove(file);
  const std::string deleted = "/proc/self/fd/" + std::to_string(open.get());
  CHECK(app::Script(deleted).info().title == "open");
}

TEST_CASE("include_folder gives the values of a folder's libraries, in the order of their names") {
  Shelf shelf;
  shelf.write("mine/parts/b.lib.lua", "return 'b'");
  shelf.write("mine/parts/a.lib.lua", "return include 'b.lib.lua' .. 'a'");
  shelf.write("mine/parts/scenario.lua", "error 'it is no library'");
  CHECK(shelf.title("table.concat(include_folder 'parts', ' ')") == "ba b");
  CHECK_THAT(shelf.error("include_folder 'none'"), Contains("no such file"));
  CHECK_THAT(shelf.error("include_folder 'parts/a.lib.lua'"), Contains("not a folder"));
}

TEST_CASE("a name that begins with tcplab/ is below tcplab's own scenarios") {
  Shelf shelf;
  CHECK(shelf.title("type(include 'tcplab/audit/audit.lib.lua')") == "function");
  CHECK_THAT(shelf.error("include 'tcplab/none.lua'"),
             Contains("no such file") && Contains("scenarios"));
  CHECK_THAT(shelf.error("include 'tcplab/../CMakeLists.txt'"), Contains("not below"));
}

TEST_CASE("a scenario includes a limited number of files") {
  Shelf shelf;
  for (int i = 1; i <= 1001; ++i)
    shelf.write("mine/f" + std::to_string(i) + ".lua", "return 'last'");
  const auto all = [](int count) {
    return "'' for i = 1, " + std::to_string(count) + " do t = include('f' .. i .. '.lua') end";
  };
  CHECK(shelf.title(all(1000)) == "last");
  CHECK_THAT(shelf.error(all(1001)), Contains("own.lua:1: include f1001.lua: a scenario includes "
                                              "at most 1000 files; join some of them"));
}

TEST_CASE("files include each other at most 50 levels deep") {
  Shelf shelf;
  const auto chain = [&](int count) {
    for (int i = 1; i < count; ++i)
      shelf.write("mine/f" + std::to_string(i) + ".lua",
                  "return include 'f" + std::to_string(i + 1) + ".lua'");
    shelf.write("mine/f" + std::to_string(count) + ".lua", "return 'end'");
  };
  chain(50);
  CHECK(shelf.title("include 'f1.lua'") == "end");
  chain(51);
  CHECK_THAT(shelf.error("include 'f1.lua'"), Contains("f50.lua:1: include f51.lua: files include "
                                                       "each other at most 50 levels deep"));
}
