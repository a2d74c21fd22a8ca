// The files of a guest. Each function throws Refusal, or base::LabError if the guest has died.
#pragma once

#include <string>

#include "netns/view/mounts.hh"
#include "netns/view/private_file.hh"
#include "uml/guest_kernel.hh"

namespace tcplab::uml {

class GuestFiles {
public:
  explicit GuestFiles(GuestKernel& kernel) : kernel_(kernel) {}

  std::string read(const std::string& path);
  void write(const std::string& path, const std::string& text);
  void write_private(const netns::PrivateFile& file);
  void write_resolver_file(const std::string& text) { write(netns::kResolverFile, text); }

  /// Shows a folder of the lab at a path, writable (netns::MachineAgent).
  void attach_folder(const std::string& folder, const std::string& path);
  void hide_folder(const std::string& folder);

private:
  std::string show_to_kernel(const std::string& folder);

  GuestKernel& kernel_;
  int shown_folders_ = 0;  // how many of the lab's its process sees besides its view
};

}  // namespace tcplab::uml
