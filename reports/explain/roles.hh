// Names the two ends of a captured connection: client and server.
#pragma once

#include <cstdint>
#include <string>

#include "capture/follow/conversation.hh"

namespace tcplab::reports {

class Roles {
public:
  /// `talk` must live as long.
  explicit Roles(const capture::Conversation& talk);

  /// Returns the end to show first: the client if it is known, else the first end seen.
  std::size_t first() const { return first_; }
  /// Returns false if no SYN was captured and the ports do not distinguish client and server, or if
  /// both ends sent a SYN.
  bool are_known() const { return are_known_; }
  /// Returns true if only the port numbers distinguish client and server.
  bool are_guessed() const { return are_guessed_; }
  /// Returns "the client", "the server", or the address if the roles are not known.
  std::string name(std::size_t end) const;
  /// Returns "client", "server", or the address.
  std::string short_name(std::size_t end) const;

private:
  const capture::Conversation* talk_;
  std::uint8_t first_ = 0;
  bool are_known_ = false;
  bool are_guessed_ = false;
};

/// Returns the sentence with a capital first letter.
std::string capitalized(std::string sentence);

}  // namespace tcplab::reports
