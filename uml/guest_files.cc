#include "uml/guest_files.hh"

#include <sys/stat.h>

#include "base/error.hh"
#include "uml/clock_page.hh"
#include "uml/configuration.hh"

namespace tcplab::uml {

std::string GuestFiles::read(const std::string& path) {
  const Message answer = kernel_.ask(Kind::read_file, PayloadWriter().text(path).payload());
  return PayloadReader(answer.payload).text();
}

void GuestFiles::write(const std::string& path, const std::string& text) {
  kernel_.ask(Kind::write_file, PayloadWriter().text(path).text(text).payload());
}

void GuestFiles::write_private(const netns::PrivateFile& file) {
  kernel_.ask(Kind::private_file, write_payload(file));
}

void GuestFiles::attach_folder(const std::string& folder, const std::string& path) {
  const std::string seen = kernel_.view() != nullptr ? show_to_kernel(folder) : folder;
  kernel_.ask(Kind::attach_folder, PayloadWriter().text(seen).text(path).payload());
}

/// Mounts the folder where a confined kernel may write, and returns that place.
std::string GuestFiles::show_to_kernel(const std::string& folder) {
  const base::FileDescriptor copy = netns::copy_mount(folder);
  std::string place = std::string(kOwnPlace) + "/" + std::to_string(++shown_folders_);
  const std::string wrong = kernel_.do_inside([&] {
    base::check("make " + place, ::mkdir(place.c_str(), 0700));
    netns::place_mount(copy, place);
  });
  if (!wrong.empty()) throw base::LabError(kernel_.host() + ": " + wrong);
  return place;
}

void GuestFiles::hide_folder(const std::string& folder) {
  kernel_.ask(Kind::hide_folder, PayloadWriter().text(folder).payload());
}

}  // namespace tcplab::uml
