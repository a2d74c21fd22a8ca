// The files and the settings of a guest.
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <string>

#include "netns/spawn.hh"
#include "netns/view/mounts.hh"
#include "uml/clock_page.hh"
#include "uml/guest.hh"

namespace tcplab::uml {

namespace {

std::string sysctl_path(const std::string& name) {
  std::string path = name;
  if (path.find('/') == std::string::npos) std::ranges::replace(path, '.', '/');
  if (!path.starts_with("net/") || path.find("..") != std::string::npos)
    throw base::UsageError("sysctl " + name + ": only sysctls under net. belong to a host");
  return "/proc/sys/" + path;
}

}  // namespace

std::string Guest::read_file(const std::string& path) {
  const Message answer = ask(Kind::read_file, PayloadWriter().text(path).payload());
  return PayloadReader(answer.payload).text();
}

void Guest::write_file(const std::string& path, const std::string& text) {
  ask(Kind::write_file, PayloadWriter().text(path).text(text).payload());
}

void Guest::write_private_file(const netns::PrivateFile& file) {
  ask(Kind::private_file, write_payload(file));
}

void Guest::attach_folder(const std::string& folder, const std::string& path) {
  const std::string seen = view_ ? show_to_kernel(folder) : folder;
  ask(Kind::attach_folder, PayloadWriter().text(seen).text(path).payload());
}

/// Mounts the folder where a confined kernel may write, and returns that place.
std::string Guest::show_to_kernel(const std::string& folder) {
  const base::FileDescriptor copy = netns::copy_mount(folder);
  std::string place = std::string(kOwnPlace) + "/" + std::to_string(++shown_folders_);
  const std::string wrong = netns::do_inside(process_->end_descriptor(), [&] {
    base::check("make " + place, ::mkdir(place.c_str(), 0700));
    netns::place_mount(copy, place);
  });
  if (!wrong.empty()) throw base::LabError(config_.name + ": " + wrong);
  return place;
}

void Guest::hide_folder(const std::string& folder) {
  ask(Kind::hide_folder, PayloadWriter().text(folder).payload());
}

void Guest::write_sysctl(const std::string& name, const std::string& value) {
  const std::string path = sysctl_path(name);
  try {
    write_file(path, value);
  } catch (const Refusal& refusal) {
    throw base::SystemError("set sysctl " + name + " to " + value, refusal.error());
  }
}

std::string Guest::read_sysctl(const std::string& name) {
  const std::string path = sysctl_path(name);
  try {
    std::string value = read_file(path);
    while (!value.empty() && value.back() == '\n') value.pop_back();
    return value;
  } catch (const Refusal& refusal) {
    throw base::SystemError("read sysctl " + name, refusal.error());
  }
}

bool Guest::has_sysctl(const std::string& name) {
  try {
    read_sysctl(name);
    return true;
  } catch (const base::SystemError& error) {
    if (error.error() == ENOENT) return false;
    return true;  // one that can only be written
  }
}

}  // namespace tcplab::uml
