// Writes the script of an audit: an ordinary scenario file, which a user can read and extend.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tcplab::app {

/// A client and a server, as `tcplab audit --server COMMAND --port N -- CLIENT ...` names them.
struct PairCommand {
  std::string server{};  // for sh -c
  std::uint16_t port = 0;
  std::vector<std::string> client{};    // SERVER in it stands for the server's host
  std::vector<std::string> requests{};  // lines to type, one after the other
  std::string after{};                  // for sh -c, after the failure; empty: none
};

/// Returns the script for the pair.
std::string script_of(const PairCommand& pair);

/// Returns the script that `tcplab audit --init` writes: an example with all fields.
std::string example_script();

}  // namespace tcplab::app
