#include "netns/tap_port.hh"

#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>

#include "base/error.hh"

namespace tcplab::netns {

base::FileDescriptor open_tap(const std::string& name) {
  base::FileDescriptor tap(
      base::check("open /dev/net/tun", open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC)));
  ifreq request{};
  request.ifr_flags = IFF_TAP | IFF_NO_PI;
  name.copy(request.ifr_name, IFNAMSIZ - 1);
  base::check("create the TAP device " + name, ioctl(tap.get(), TUNSETIFF, &request));
  return tap;
}

bool can_open_tap() {
  return base::FileDescriptor(open("/dev/net/tun", O_RDWR | O_CLOEXEC)).get() >= 0;
}

std::optional<std::size_t> TapPort::read(std::span<std::uint8_t> buffer) {
  const ssize_t size = ::read(tap_.get(), buffer.data(), buffer.size());
  if (size >= 0) return static_cast<std::size_t>(size);
  if (errno == EAGAIN) return std::nullopt;
  throw base::SystemError("read from a TAP device", errno);
}

bool TapPort::write(Bytes frame) {
  if (::write(tap_.get(), frame.data(), frame.size()) != -1) return true;
  // EIO: the device is down. EINVAL: the frame is too short. EBADFD: the device was deleted.
  if (errno == EIO || errno == EINVAL || errno == EBADFD) return false;
  throw base::SystemError("write to a TAP device", errno);
}

}  // namespace tcplab::netns
