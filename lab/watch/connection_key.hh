// Identifies a connection of one host: by its own endpoint and the peer's.
#pragma once

#include <compare>

#include "base/endpoint.hh"

namespace tcplab::lab {

struct ConnectionKey {
  base::Endpoint local;
  base::Endpoint remote;
  auto operator<=>(const ConnectionKey&) const = default;
};

}  // namespace tcplab::lab
