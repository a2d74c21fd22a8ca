#include "base/output_file.hh"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/error.hh"
#include "tests/catch.hh"

using namespace tcplab;
using Catch::Matchers::Contains;

namespace fs = std::filesystem;

namespace {

constexpr uid_t kOther = 65533;

/// A folder in /tmp that is removed at the end of the test.
class Place {
public:
  Place() {
    std::string path = "/tmp/tcplab-output-XXXXXX";
    folder_ = ::mkdtemp(path.data());
  }
  ~Place() { fs::remove_all(folder_); }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;

  std::string at(const std::string& name) const { return folder_ / name; }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }
  std::string read(const std::string& name) const {
    std::ifstream file(folder_ / name);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  /// Makes a symbolic link that belongs to another user. Only root can; returns whether it could.
  bool link_of_other(const std::string& target, const std::string& name) const {
    fs::create_symlink(at(target), at(name));
    return ::lchown(at(name).c_str(), kOther, kOther) == 0;
  }

private:
  fs::path folder_;
};

template <typename Attempt>
std::string refusal(Attempt attempt) {
  try {
    attempt();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

mode_t mode_of(const std::string& path) {
  struct stat status {};
  ::lstat(path.c_str(), &status);
  return status.st_mode & 07777;
}

}  // namespace

TEST_CASE("a folder is made with its parents, and its real path returned") {
  const Place place;
  fs::create_directory(place.at("real"));
  fs::create_symlink("real", place.at("link"));
  CHECK(base::make_output_folder(place.at("link//a/./b")) == place.at("real/a/b"));
  CHECK(base::make_output_folder(place.at("link/a/../c/")) == place.at("real/c"));
  CHECK(fs::is_directory(place.at("real/c")));
}

TEST_CASE("a symbolic link of another user is never followed") {
  if (::geteuid() != 0) return;  // only root can make a link of another user
  const Place place;
  fs::create_directories(place.at("secret/run"));
  place.write("secret/run/x", "precious");
  REQUIRE(place.link_of_other("secret", "runs"));
  const std::string why = refusal([&] { base::make_output_folder(place.at("runs/run")); });
  CHECK_THAT(why, Contains("\"runs\" is a symbolic link of another user (ID 65533)"));
  CHECK_THAT(refusal([&] { base::make_output_file(place.at("runs/run/x")); }),
             Contains("symbolic link of another user"));
  CHECK(place.read("secret/run/x") == "precious");
}

TEST_CASE("a file replaces a symbolic link, and leaves what it points to") {
  const Place place;
  place.write("precious", "old");
  fs::create_symlink(place.at("precious"), place.at("x"));
  base::write_output_file(place.at("x"), "new");
  CHECK(place.read("precious") == "old");
  CHECK(place.read("x") == "new");
  CHECK_FALSE(fs::is_symlink(place.at("x")));
}

TEST_CASE("a pipe is written, and stays") {
  const Place place;
  REQUIRE(::mkfifo(place.at("pipe").c_str(), 0600) == 0);
  const base::FileDescriptor reader(::open(place.at("pipe").c_str(), O_RDONLY | O_NONBLOCK));
  base::write_output_file(place.at("pipe"), "new");
  std::array<char, 3> text{};
  CHECK(::read(reader.get(), text.data(), text.size()) == 3);
  CHECK(fs::is_fifo(place.at("pipe")));
}

TEST_CASE("nobody else may write the files and folders, whatever the umask") {
  const Place place;
  const mode_t before = ::umask(0);
  base::make_output_folder(place.at("runs"));
  base::write_output_file(place.at("runs/x"), "new");
  ::umask(before);
  CHECK(mode_of(place.at("runs")) == 0755);
  CHECK(mode_of(place.at("runs/x")) == 0644);
}

TEST_CASE("what stands in the way is named") {
  const Place place;
  place.write("taken", "");
  CHECK_THAT(refusal([&] { base::make_output_folder(place.at("taken/run")); }),
             Contains("taken/run: Not a directory"));
  fs::create_directory(place.at("folder"));
  CHECK_THAT(refusal([&] { base::make_output_file(place.at("folder")); }), Contains("folder: "));
  fs::create_symlink("loop", place.at("loop"));
  CHECK_THAT(refusal([&] { base::make_output_folder(place.at("loop")); }), Contains("ELOOP"));
  CHECK_THAT(refusal([&] { base::make_output_file(place.at("gone/x")); }), Contains("ENOENT"));
}

TEST_CASE("a document is written through the user's own links, which stay") {
  const Place place;
  place.write("target", "old text");
  fs::create_symlink("target", place.at("link"));
  fs::create_symlink("missing", place.at("dangling"));
  for (const char* name : {"link", "dangling", "new"}) {
    INFO(name);
    CHECK_NOTHROW(base::require_document(place.at(name)));
    base::write_document(place.at(name), "one");
    base::append_to_document(place.at(name), "two");
    CHECK(place.read(name) == "onetwo");
  }
  CHECK(place.read("target") == "onetwo");
  CHECK(fs::is_symlink(place.at("link")));
  CHECK(fs::is_symlink(place.at("dangling")));
  CHECK_FALSE(fs::is_symlink(place.at("new")));
}

TEST_CASE("a document is written to an open descriptor through /proc, as /dev/stdout leads there") {
  const Place place;
  const base::FileDescriptor file(::open(place.at("open").c_str(), O_WRONLY | O_CREAT, 0600));
  fs::create_symlink("/proc/self/fd/" + std::to_string(file.get()), place.at("stdout"));
  base::write_document(place.at("stdout"), "text");
  CHECK(place.read("open") == "text");
}

TEST_CASE("a document is never written through a link of another user") {
  const Place place;
  place.write("precious", "precious");
  if (!place.link_of_other("precious", "link")) return;
  const auto expected = Contains("is a symbolic link of another user (ID 65533); choose another");
  CHECK_THAT(refusal([&] { base::require_document(place.at("link")); }), expected);
  CHECK_THAT(refusal([&] { base::write_document(place.at("link"), "x"); }), expected);
  CHECK_THAT(refusal([&] { base::append_to_document(place.at("link"), "x"); }), expected);
  CHECK(place.read("precious") == "precious");
}

TEST_CASE("two documents are two files, and one at most is standard output") {
  const Place place;
  const std::string file = place.at("file");
  CHECK_THAT(refusal([&] {
               base::require_documents({file, place.at("./file")});
             }),
             Contains("two documents cannot be one file; give them two names"));
  place.write("file", "older");
  fs::create_symlink("file", place.at("link"));
  CHECK_NOTHROW(base::require_documents({file, place.at("other"), "-", "", ""}));
  CHECK_NOTHROW(base::require_documents({"/dev/null", "/dev/null"}));
  const auto same = Contains("two documents cannot be one file; give them two names");
  for (const std::string& again : {file, place.at("./file"), place.at("link")}) {
    INFO(again);
    CHECK_THAT(refusal([&] { base::require_documents({file, "", again}); }), same);
  }
  const auto twice = Contains("only one document can go to standard output");
  CHECK_THAT(refusal([] { base::require_documents({"-", "-"}); }), twice);
  CHECK_THAT(refusal([] { base::require_documents({"-"}, 1); }), twice);
}

TEST_CASE("what cannot be a document is refused before, and nothing is made") {
  const Place place;
  for (const char* name : {"", "gone/file", "/proc/file"}) {
    INFO(name);
    const std::string path = *name == '/' ? name : place.at(name);
    CHECK_THROWS_AS(base::require_document(path), base::UsageError);
  }
  CHECK_NOTHROW(base::require_document(place.at("fine")));
  CHECK(fs::is_empty(place.at("")));
}
