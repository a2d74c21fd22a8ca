#include "base/pseudoterminal.hh"

#include <fcntl.h>
#include <sys/ioctl.h>

#include <cstdlib>

#include "base/error.hh"

namespace tcplab::base {

Pseudoterminal make_pseudoterminal() {
  constexpr int kFlags = O_RDWR | O_NOCTTY | O_CLOEXEC;
  Pseudoterminal made;
  made.ours = FileDescriptor(check("open a pseudoterminal", ::posix_openpt(kFlags)));
  check("unlock a pseudoterminal", ::unlockpt(made.ours.get()));
  made.theirs =
      FileDescriptor(check("open a terminal", ::ioctl(made.ours.get(), TIOCGPTPEER, kFlags)));
  return made;
}

}  // namespace tcplab::base
