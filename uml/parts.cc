#include "uml/parts.hh"

#include "base/own_part.hh"

namespace tcplab::uml {

Parts find_parts() {
  return {base::find_own_part("tcplab-agent"), base::find_own_part("tcplab-guest.so")};
}

}  // namespace tcplab::uml
