#include "tests/reports/golden.hh"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/catch.hh"

namespace tcplab::reports::tests {

namespace {

std::filesystem::path golden_path(const std::string& name) {
  const char* source = std::getenv("TCPLAB_SOURCE");  // ctest sets it
  const std::filesystem::path root = source == nullptr ? "." : source;
  return root / "tests/reports/golden" / (name + ".txt");
}

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string first_difference(const std::string& expected, const std::string& got) {
  std::istringstream one(expected);
  std::istringstream other(got);
  std::string expected_line;
  std::string got_line;
  for (int number = 1;; ++number) {
    const bool has_one = bool(std::getline(one, expected_line));
    const bool has_other = bool(std::getline(other, got_line));
    if (!has_one && !has_other) return "none";
    if (has_one == has_other && expected_line == got_line) continue;
    return "line " + std::to_string(number) +
           "\nexpected: " + (has_one ? expected_line : "(no line)") +
           "\ngot:      " + (has_other ? got_line : "(no line)");
  }
}

}  // namespace

void check_golden(const std::string& name, const std::string& text) {
  const auto path = golden_path(name);
  if (std::getenv("TCPLAB_APPROVE") != nullptr) std::ofstream(path, std::ios::binary) << text;
  INFO("the golden file " << path.string());
  REQUIRE(std::filesystem::exists(path));
  const std::string expected = read_file(path);
  INFO(first_difference(expected, text));
  CHECK(expected == text);
}

}  // namespace tcplab::reports::tests
