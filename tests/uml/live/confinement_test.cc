// Whatever a program does to the kernel of its guest, it does not reach the machine: here it is the
// guest's unrestricted root, as a program is that has taken over the guest's kernel.
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "netns/machine_view.hh"
#include "tests/catch.hh"
#include "tests/uml/live/guest_lab.hh"

using namespace tcplab;
using namespace std::chrono_literals;
using tests::GuestLab;

namespace {

namespace fs = std::filesystem;

/// A folder of the machine where everybody may write, and that is in no private folder of hosts.
class OpenFolder {
public:
  OpenFolder() {
    std::string name =
        std::string(::access("/srv", W_OK) == 0 ? "/srv" : "/var/tmp") + "/tcplab-test-XXXXXX";
    path_ = ::mkdtemp(name.data());
    fs::permissions(path_, fs::perms::all);
  }
  ~OpenFolder() { fs::remove_all(path_); }
  OpenFolder(const OpenFolder&) = delete;
  OpenFolder& operator=(const OpenFolder&) = delete;

  const fs::path& path() const { return path_; }

private:
  fs::path path_;
};

const std::vector<std::string> kUntouched = {"emptied", "kept", "there"};

/// What the root of a guest can do to reach the folder @ of the machine.
constexpr const char* kAttempts = R"(
mkdir /tmp/machine /tmp/proc
mount -t hostfs none /tmp/machine -o /
mount -o remount,rw /
mount -o remount,rw,bind /
mount -o remount,rw /tmp/machine
echo 1 > @/remounted
echo 2 > /tmp/machine@/mounted
echo 3 > /tmp/machine@/there
mkdir /tmp/machine@/folder
ln -s x /tmp/machine@/link
rm -f /tmp/machine@/there
chmod 600 /tmp/machine@/kept
truncate -s 0 /tmp/machine@/emptied
# The kernel starts this helper when a program crashes (core(5)).
printf '#!/bin/sh\necho 4 > /tmp/machine@/helper\n' > /tmp/helper
chmod +x /tmp/helper
mount -t proc none /tmp/proc
echo '|/tmp/helper' > /tmp/proc/sys/kernel/core_pattern
ulimit -c unlimited
sh -c 'kill -SEGV $$'
echo attempted
)";

std::string attempts(const fs::path& folder) {
  std::string text = kAttempts;
  for (auto at = text.find('@'); at != std::string::npos; at = text.find('@'))
    text.replace(at, 1, folder.string());
  return text;
}

/// Returns what the guest has left in the folder, sorted.
std::vector<std::string> made_by_guest(const tests::Confinement& confinement) {
  const OpenFolder folder;
  for (const std::string& name : kUntouched) {
    std::ofstream(folder.path() / name) << "of the machine";
    fs::permissions(folder.path() / name, fs::perms::all);
  }
  GuestLab lab({"kang"}, confinement);
  const pid_t program =
      lab.run("kang", {"sh", "-c", attempts(folder.path())}, {}, netns::Privileges::all);
  INFO(lab.text("kang", program));
  REQUIRE(lab.await_text("kang", program, "attempted", 60s));
  std::vector<std::string> found;
  for (const auto& entry : fs::directory_iterator(folder.path()))
    found.push_back(entry.path().filename());
  if (fs::status(folder.path() / "kept").permissions() != fs::perms::all)
    found.emplace_back("changed mode");
  if (fs::file_size(folder.path() / "emptied") == 0) found.emplace_back("changed size");
  std::sort(found.begin(), found.end());
  return found;
}

std::shared_ptr<const netns::MachineView> view() try {
  return std::make_shared<netns::MachineView>(std::vector<std::string>{tests::guest_programs()});
} catch (const netns::ViewError&) {
  return nullptr;  // an ordinary user, outside of a run
}

}  // namespace

TEST_CASE("the root of a guest writes nothing on the machine") {
  SKIP_IF(tests::no_guests());
  CHECK(made_by_guest({}) == kUntouched);
  if (const auto files = view()) CHECK(made_by_guest({true, files}) == kUntouched);
}

TEST_CASE("without the confinement, the root of a guest would write on the machine") {
  SKIP_IF(tests::no_guests());
  const std::vector<std::string> made = made_by_guest({false, nullptr});
  CHECK(made == std::vector<std::string>{"changed mode", "changed size", "emptied", "folder",
                                         "helper", "kept", "link", "mounted", "remounted"});
}

TEST_CASE("the process of a guest's kernel has no privileges on the machine") {
  SKIP_IF(tests::no_guests());
  GuestLab lab({"kang"});
  const std::string status =
      "/proc/" + std::to_string(lab.guest("kang").kernel().pid()) + "/status";
  std::ifstream file(status);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  CHECK(text.find("NoNewPrivs:\t1") != std::string::npos);
  CHECK(text.find("Seccomp:\t2") != std::string::npos);
  if (::geteuid() != 0) return;
  CHECK(text.find("Uid:\t65534\t65534\t65534\t65534") != std::string::npos);
  CHECK(text.find("CapEff:\t0000000000000004") != std::string::npos);  // CAP_DAC_READ_SEARCH
}
