// Sets up a guest that has just booted: its mounts, modules, names and files. The root folder is
// the machine's, read-only (hostfs). The files that programs write vanish with the guest.
#pragma once

#include <string>

#include "uml/configuration.hh"

namespace tcplab::uml {

/// Throws base::LabError if this process is not the init of a User-mode Linux. Else it would change
/// the machine. Mounts /proc.
void require_guest();

/// Mounts /sys, /dev and private folders, and loads the modules that the agent needs: IPv6 and TUN.
void prepare_system();

/// Gives the guest its name and its files: /etc/hosts, /etc/resolv.conf, the folders of the machine
/// that stay visible, and the current folder. Programs cannot change them.
void configure_system(const Configuration& configuration);

/// Shows a folder of the lab at a path, writable (netns::Machine::attach_folder()).
void attach_folder(const std::string& folder, const std::string& path);
/// Shows an empty folder in its place.
void hide_folder(const std::string& folder);

/// Loads the module that this file needs before it can have this text: a congestion control, before
/// the sysctl names it. Does nothing if there is no such module.
void load_module_for(const std::string& path, const std::string& text);

/// Returns the kernel's release: "6.1.176".
std::string kernel_release();

void write_resolver_file(const std::string& text);

/// These also reach the settings in /proc that programs can only read.
std::string read_file(const std::string& path);
void write_file(const std::string& path, const std::string& text);

}  // namespace tcplab::uml
