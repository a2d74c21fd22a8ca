// Names the two ends of a captured connection: client and server.
#pragma once

#include <array>
#include <string>

#include "capture/follow/conversation.hh"

namespace tcplab::reports {

class Roles {
public:
  explicit Roles(const capture::Conversation& talk);

  /// Returns the end to show first: the client if it is known, else the first end seen.
  std::size_t first() const { return first_; }
  /// Returns false if no SYN was captured and the ports do not distinguish client and server, or if
  /// both ends sent a SYN.
  bool are_known() const { return are_known_; }
  /// Returns true if only the port numbers distinguish client and server.
  bool are_guessed() const { return are_guessed_; }
  /// Returns "the client", "the server", or the address if the roles are not known.
  const std::string& name(std::size_t end) const { return names_.at(end); }
  /// Returns "client", "server", or the address.
  const std::string& short_name(std::size_t end) const { return short_names_.at(end); }

private:
  std::size_t first_ = 0;
  bool are_known_ = false;
  bool are_guessed_ = false;
  std::array<std::string, 2> names_;
  std::array<std::string, 2> short_names_;
};

/// Returns the sentence with a capital first letter.
std::string capitalized(std::string sentence);

}  // namespace tcplab::reports
