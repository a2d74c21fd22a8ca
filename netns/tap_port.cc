#include "netns/tap_port.hh"

#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>

#include "base/error.hh"

namespace tcplab::netns {

base::FileDescriptor open_tap(const std::string& name, bool has_offloads) {
  base::FileDescriptor tap(
      base::check("open /dev/net/tun", open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC)));
  ifreq request{};
  request.ifr_flags = static_cast<short>(IFF_TAP | IFF_NO_PI | (has_offloads ? IFF_VNET_HDR : 0));
  name.copy(request.ifr_name, IFNAMSIZ - 1);
  base::check("create the TAP device " + name, ioctl(tap.get(), TUNSETIFF, &request));
  constexpr unsigned kOffloads = TUN_F_CSUM | TUN_F_TSO4 | TUN_F_TSO6 | TUN_F_TSO_ECN;
  if (has_offloads)
    base::check("turn on offloads of " + name, ioctl(tap.get(), TUNSETOFFLOAD, kOffloads));
  return tap;
}

bool can_open_tap() {
  return base::FileDescriptor(open("/dev/net/tun", O_RDWR | O_CLOEXEC)).get() >= 0;
}

std::optional<Received> TapPort::read(std::span<std::uint8_t> buffer) {
  Offload offload;
  const ssize_t size = read_frame(tap_.get(), has_offloads_, buffer, offload);
  if (size >= 0) return Received{.size = static_cast<std::size_t>(size), .offload = offload};
  if (errno == EAGAIN) return std::nullopt;
  throw base::SystemError("read from a TAP device", errno);
}

bool TapPort::write(Bytes frame, const Offload& offload) {
  if (write_frame(tap_.get(), has_offloads_, frame, offload) != -1) return true;
  // EIO: the device is down. EINVAL: the frame is too short. EBADFD: the device was deleted.
  if (errno == EIO || errno == EINVAL || errno == EBADFD) return false;
  throw base::SystemError("write to a TAP device", errno);
}

}  // namespace tcplab::netns
