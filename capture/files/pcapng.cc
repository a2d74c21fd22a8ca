#include "capture/files/pcapng.hh"

#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/error.hh"
#include "base/split.hh"
#include "capture/files/pcapng_format.hh"

namespace tcplab::capture {

namespace {

constexpr std::size_t kBufferSize = std::size_t{256} << 10;

// Option codes, sections 3.5 and 4.1 to 4.5.
constexpr std::uint16_t kComment = 1;
constexpr std::uint16_t kHardware = 2;
constexpr std::uint16_t kOperatingSystem = 3;
constexpr std::uint16_t kApplication = 4;
constexpr std::uint16_t kInterfaceName = 2;
constexpr std::uint16_t kInterfaceDescriptionText = 3;
constexpr std::uint16_t kMacAddress = 6;
constexpr std::uint16_t kStartTime = 2;
constexpr std::uint16_t kEndTime = 3;
constexpr std::uint16_t kReceived = 4;
constexpr std::uint16_t kPacketFlags = 2;
constexpr std::uint16_t kPacketId = 5;
constexpr std::uint16_t kNameRecordIpv4 = 1;
constexpr std::uint16_t kNameRecordIpv6 = 2;
constexpr std::uint16_t kLinkTypeEthernet = 1;

}  // namespace

PcapngWriter::PcapngWriter(base::FileDescriptor descriptor, std::string file)
    : descriptor_(std::move(descriptor)), file_(std::move(file)) {
  buffer_.reserve(kBufferSize + (std::size_t{128} << 10));
  const std::size_t begin = begin_block(pcapng::kSectionHeader);
  put32(pcapng::kByteOrderMagic);
  put16(1);
  put16(0);
  put32(0xFFFFFFFF);  // the section's length is unspecified, because it grows
  put32(0xFFFFFFFF);
  utsname system{};
  ::uname(&system);
  put_text_option(kHardware, system.machine);
  put_text_option(kOperatingSystem, std::string(system.sysname) + ' ' + system.release);
  put_text_option(kApplication, "tcplab");
  put_option(pcapng::kEndOfOptions, nullptr, 0);
  end_block(begin);
}

// Section 4.2
std::uint32_t PcapngWriter::add_interface(const PcapngInterface& interface) {
  const std::size_t begin = begin_block(pcapng::kInterfaceDescription);
  put16(kLinkTypeEthernet);
  put16(0);
  put32(0);  // no limit on the captured length
  put_text_option(kInterfaceName, interface.name);
  if (!interface.description.empty())
    put_text_option(kInterfaceDescriptionText, interface.description);
  if (interface.mac) put_option(kMacAddress, interface.mac->data(), interface.mac->size());
  const std::uint8_t nanoseconds = 9;
  put_option(pcapng::kTimeStampResolution, &nanoseconds, 1);
  put_option(pcapng::kEndOfOptions, nullptr, 0);
  end_block(begin);
  statistics_.emplace_back();
  return static_cast<std::uint32_t>(statistics_.size() - 1);
}

// Section 4.5
void PcapngWriter::add_names(const std::vector<std::pair<base::IpAddress, std::string>>& names) {
  const std::size_t begin = begin_block(pcapng::kNameResolution);
  for (const auto& [address, name] : names) {
    put16(address.family == base::Family::ipv4 ? kNameRecordIpv4 : kNameRecordIpv6);
    put16(static_cast<std::uint16_t>(address.size() + name.size() + 1));
    put_bytes(address.bytes.data(), address.size());
    put_bytes(name.c_str(), name.size() + 1);
    pad();
  }
  put32(0);  // nrb_record_end
  end_block(begin);
}

// Section 4.3:  interface, time stamp (high, low), captured and original length, data, options.
void PcapngWriter::write(const PcapngPacket& packet) {
  Statistics& statistics = statistics_.at(packet.interface);
  if (statistics.packets++ == 0) statistics.first = packet.at;
  statistics.last = packet.at;
  const std::size_t begin = begin_block(pcapng::kEnhancedPacket);
  put32(packet.interface);
  put64(packet.at);
  put32(static_cast<std::uint32_t>(packet.bytes.size()));
  put32(static_cast<std::uint32_t>(packet.length == 0 ? packet.bytes.size() : packet.length));
  put_bytes(packet.bytes.data(), packet.bytes.size());
  pad();
  const auto flags = static_cast<std::uint32_t>(packet.direction);
  put_option(kPacketFlags, &flags, sizeof flags);
  if (packet.id != 0) put_option(kPacketId, &packet.id, sizeof packet.id);
  put_comments(packet.comment);
  put_option(pcapng::kEndOfOptions, nullptr, 0);
  end_block(begin);
  if (buffer_.size() >= kBufferSize) flush();
}

void PcapngWriter::put_time_option(std::uint16_t code, std::int64_t time) {
  put16(code);
  put16(sizeof time);
  put64(time);
}

// Section 4.6
void PcapngWriter::put_statistics(std::uint32_t interface) {
  const Statistics& statistics = statistics_[interface];
  const std::size_t begin = begin_block(pcapng::kInterfaceStatistics);
  put32(interface);
  put64(statistics.last);
  if (statistics.packets > 0) {
    put_time_option(kStartTime, statistics.first);
    put_time_option(kEndTime, statistics.last);
  }
  put_option(kReceived, &statistics.packets, sizeof statistics.packets);
  put_option(pcapng::kEndOfOptions, nullptr, 0);
  end_block(begin);
}

void PcapngWriter::finish() {
  for (std::uint32_t interface = 0; interface < statistics_.size(); ++interface)
    put_statistics(interface);
  flush();
}

void PcapngWriter::flush() {
  std::size_t written = 0;
  while (written < buffer_.size()) {
    const ssize_t size =
        ::write(descriptor_.get(), buffer_.data() + written, buffer_.size() - written);
    if (size == -1 && errno == EINTR) continue;
    if (size == -1) {
      const int error = errno;
      buffer_.clear();  // so that a later flush() does not throw the same error again
      throw base::SystemError("write " + file_, error);
    }
    written += static_cast<std::size_t>(size);
  }
  if (on_written && !buffer_.empty()) on_written(buffer_);
  buffer_.clear();
}

void PcapngWriter::put_bytes(const void* bytes, std::size_t size) {
  const auto* first = static_cast<const std::uint8_t*>(bytes);
  if (size > 0) buffer_.insert(buffer_.end(), first, first + size);
}

// Numbers are in this machine's byte order, which the byte-order magic indicates.
void PcapngWriter::put16(std::uint16_t value) { put_bytes(&value, sizeof value); }
void PcapngWriter::put32(std::uint32_t value) { put_bytes(&value, sizeof value); }

void PcapngWriter::put64(std::int64_t value) {
  const auto bits = static_cast<std::uint64_t>(value);
  put32(static_cast<std::uint32_t>(bits >> 32));
  put32(static_cast<std::uint32_t>(bits));
}

void PcapngWriter::put_option(std::uint16_t code, const void* value, std::size_t size) {
  put16(code);
  put16(static_cast<std::uint16_t>(size));
  put_bytes(value, size);
  pad();
}

/// Writes one option per line: section 3.5 allows several comments, and readers list them.
void PcapngWriter::put_comments(std::string_view lines) {
  for (const std::string& line : base::split(lines, '\n'))
    if (!line.empty()) put_text_option(kComment, line);
}

void PcapngWriter::put_text_option(std::uint16_t code, std::string_view text) {
  constexpr std::size_t kLongest = 0xFFFF;
  put_option(code, text.data(), std::min(text.size(), kLongest));
}

/// Pads to 32 bits: every block, and every field in it, is a multiple of 32 bits long.
void PcapngWriter::pad() { buffer_.resize((buffer_.size() + 3) & ~std::size_t{3}); }

std::size_t PcapngWriter::begin_block(std::uint32_t type) {
  const std::size_t begin = buffer_.size();
  put32(type);
  put32(0);  // the length; end_block() fills it in
  return begin;
}

void PcapngWriter::end_block(std::size_t begin) {
  const auto length = static_cast<std::uint32_t>(buffer_.size() - begin + sizeof(std::uint32_t));
  std::memcpy(buffer_.data() + begin + sizeof(std::uint32_t), &length, sizeof length);
  put32(length);
}

}  // namespace tcplab::capture
