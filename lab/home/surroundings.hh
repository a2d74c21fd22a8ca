// The surroundings of programs on hosts: their environment, and the folders of the machine that
// they can read although their /tmp and /run are private. Also finds dnc.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/endpoint.hh"
#include "netns/host_config.hh"

namespace tcplab::lab {

/// Returns PATH, HOME, LANG, TERM and LC_* of this process. Other variables may be secrets.
netns::Environment clean_environment();

/// Returns the containment of a run's hosts: they show the working folder, and the folders of the
/// script, of this program and in PATH, wherever these are.
netns::Containment usual_containment(const std::filesystem::path& script);

/// Returns the command for our own dnc, which writes its calls to descriptor 3, from one such as
/// { "dnc", "-l", "8080" }. Throws base::LabError if dnc is neither beside this program nor in
/// PATH.
std::vector<std::string> dnc_command(const std::vector<std::string>& words, base::Family family);

}  // namespace tcplab::lab
