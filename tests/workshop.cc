#include "tests/workshop.hh"

#include <stdlib.h>

#include <fstream>

namespace tcplab::tests {

namespace fs = std::filesystem;

TemporaryFolder::TemporaryFolder() {
  std::string pattern = (fs::temp_directory_path() / "tcplab-test-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) throw base::SystemError("make " + pattern, errno);
  path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

std::string TemporaryFolder::write(const fs::path& name, const std::string& text) const {
  const fs::path file = path_ / name;
  fs::create_directories(file.parent_path());
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.close();
  if (!out) throw base::LabError("cannot write " + file.string());
  return file.string();
}

std::string scenario(const std::string& fields) {
  return "return { title = \"A title\", asks = \"A question?\", run = function(lab) end, " +
         fields + " }\n";
}

}  // namespace tcplab::tests
