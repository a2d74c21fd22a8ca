#include "capture/pcapng.hh"

#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/error.hh"

namespace tcplab::capture {

namespace {

constexpr std::size_t kBufferSize = std::size_t{256} << 10;

// Block types, section 4; option codes, sections 3.5 and 4.1 to 4.5.
constexpr std::uint32_t kSectionHeader = 0x0A0D0D0A;
constexpr std::uint32_t kInterfaceDescription = 1;
constexpr std::uint32_t kNameResolution = 4;
constexpr std::uint32_t kEnhancedPacket = 6;
constexpr std::uint16_t kEndOfOptions = 0;
constexpr std::uint16_t kComment = 1;
constexpr std::uint16_t kOperatingSystem = 3;
constexpr std::uint16_t kApplication = 4;
constexpr std::uint16_t kInterfaceName = 2;
constexpr std::uint16_t kInterfaceDescriptionText = 3;
constexpr std::uint16_t kTimeStampResolution = 9;
constexpr std::uint16_t kPacketFlags = 2;
constexpr std::uint16_t kNameRecordIpv4 = 1;
constexpr std::uint16_t kNameRecordIpv6 = 2;
constexpr std::uint16_t kLinkTypeEthernet = 1;

}  // namespace

PcapngWriter::PcapngWriter(base::FileDescriptor descriptor, std::string file)
    : descriptor_(std::move(descriptor)), file_(std::move(file)) {
  buffer_.reserve(kBufferSize + (std::size_t{128} << 10));
  const std::size_t begin = begin_block(kSectionHeader);
  put32(0x1A2B3C4D);  // byte-order magic
  put16(1);
  put16(0);
  put32(0xFFFFFFFF);  // the section's length is not told: it grows
  put32(0xFFFFFFFF);
  put_text_option(kOperatingSystem, "Linux");
  put_text_option(kApplication, "tcplab");
  put_option(kEndOfOptions, nullptr, 0);
  end_block(begin);
}

std::uint32_t PcapngWriter::add_interface(const PcapngInterface& interface) {
  const std::size_t begin = begin_block(kInterfaceDescription);
  put16(kLinkTypeEthernet);
  put16(0);
  put32(0);  // no limit on the captured length
  put_text_option(kInterfaceName, interface.name);
  if (!interface.description.empty())
    put_text_option(kInterfaceDescriptionText, interface.description);
  const std::uint8_t nanoseconds = 9;
  put_option(kTimeStampResolution, &nanoseconds, 1);
  put_option(kEndOfOptions, nullptr, 0);
  end_block(begin);
  return interfaces_++;
}

void PcapngWriter::add_names(const std::vector<std::pair<base::IpAddress, std::string>>& names) {
  const std::size_t begin = begin_block(kNameResolution);
  for (const auto& [address, name] : names) {
    put16(address.family == base::Family::ipv4 ? kNameRecordIpv4 : kNameRecordIpv6);
    put16(static_cast<std::uint16_t>(address.size() + name.size() + 1));
    buffer_.insert(buffer_.end(), address.bytes.begin(),
                   address.bytes.begin() + static_cast<std::ptrdiff_t>(address.size()));
    buffer_.insert(buffer_.end(), name.c_str(), name.c_str() + name.size() + 1);
    pad();
  }
  put32(0);  // nrb_record_end
  end_block(begin);
}

void PcapngWriter::write(const PcapngPacket& packet) {
  const std::size_t begin = begin_block(kEnhancedPacket);
  const auto time = static_cast<std::uint64_t>(packet.at);
  put32(packet.interface);
  put32(static_cast<std::uint32_t>(time >> 32));
  put32(static_cast<std::uint32_t>(time));
  put32(static_cast<std::uint32_t>(packet.bytes.size()));
  put32(static_cast<std::uint32_t>(packet.length == 0 ? packet.bytes.size() : packet.length));
  buffer_.insert(buffer_.end(), packet.bytes.begin(), packet.bytes.end());
  pad();
  const auto flags = static_cast<std::uint32_t>(packet.direction);
  put_option(kPacketFlags, &flags, sizeof flags);
  if (!packet.comment.empty()) put_text_option(kComment, packet.comment);
  put_option(kEndOfOptions, nullptr, 0);
  end_block(begin);
  if (buffer_.size() >= kBufferSize) flush();
}

void PcapngWriter::flush() {
  std::size_t written = 0;
  while (written < buffer_.size()) {
    const ssize_t size =
        ::write(descriptor_.get(), buffer_.data() + written, buffer_.size() - written);
    if (size == -1 && errno == EINTR) continue;
    if (size == -1) {
      const int error = errno;
      buffer_.clear();  // it is told once, and not again by whoever flushes on the way out
      throw base::SystemError("write " + file_, error);
    }
    written += static_cast<std::size_t>(size);
  }
  buffer_.clear();
}

void PcapngWriter::put16(std::uint16_t value) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(&value);
  buffer_.insert(buffer_.end(), bytes, bytes + sizeof value);
}

void PcapngWriter::put32(std::uint32_t value) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(&value);
  buffer_.insert(buffer_.end(), bytes, bytes + sizeof value);
}

void PcapngWriter::put_option(std::uint16_t code, const void* value, std::size_t size) {
  put16(code);
  put16(static_cast<std::uint16_t>(size));
  const auto* bytes = static_cast<const std::uint8_t*>(value);
  if (size > 0) buffer_.insert(buffer_.end(), bytes, bytes + size);
  pad();
}

void PcapngWriter::put_text_option(std::uint16_t code, const std::string& text) {
  constexpr std::size_t kLongest = 0xFFFF;
  put_option(code, text.data(), std::min(text.size(), kLongest));
}

/// To 32 bits: every block is whole words long, and so is all that is in it.
void PcapngWriter::pad() {
  buffer_.resize((buffer_.size() + 3) & ~std::size_t{3});
}

std::size_t PcapngWriter::begin_block(std::uint32_t type) {
  const std::size_t begin = buffer_.size();
  put32(type);
  put32(0);  // its length, once it is known
  return begin;
}

void PcapngWriter::end_block(std::size_t begin) {
  const auto length = static_cast<std::uint32_t>(buffer_.size() - begin + sizeof(std::uint32_t));
  std::memcpy(buffer_.data() + begin + sizeof(std::uint32_t), &length, sizeof length);
  put32(length);
}

}  // namespace tcplab::capture
