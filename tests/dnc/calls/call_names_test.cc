#include "dnc/calls/call_names.hh"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "tests/catch.hh"

using namespace tcplab;

TEST_CASE("kCallNames lists exactly the calls that dnc records") {
  const char* source = std::getenv("TCPLAB_SOURCE");  // ctest sets it
  const std::filesystem::path root = source == nullptr ? "." : source;
  const std::regex recorded(R"re(\.call = "(\w+)")re");
  std::set<std::string> found;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root / "dnc")) {
    std::ostringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    const std::string code = text.str();
    for (std::sregex_iterator it(code.begin(), code.end(), recorded), end; it != end; ++it)
      found.insert((*it)[1]);
  }
  CHECK(found == std::set<std::string>(dnc::kCallNames.begin(), dnc::kCallNames.end()));
}
