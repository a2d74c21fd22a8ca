#include "lab/record/host_captures.hh"

#include <algorithm>

#include "base/output_file.hh"

namespace tcplab::lab {

namespace {

// Each file takes a descriptor and a buffer, and a run may have a thousand hosts.
constexpr std::size_t kMostFiles = 16;
constexpr const char* kPrefix = "capture-";
constexpr const char* kSuffix = ".pcapng";

}  // namespace

void HostCaptures::add_interface(
    const std::string& host, const capture::PcapngInterface& interface,
    const std::vector<std::pair<base::IpAddress, std::string>>& names) {
  places_.emplace_back();
  if (!files_.contains(host) && files_.size() == kMostFiles) return;
  std::unique_ptr<capture::PcapngWriter>& file = files_[host];
  if (!file) {
    const std::string path = (folder_ / (kPrefix + host + kSuffix)).string();
    file = std::make_unique<capture::PcapngWriter>(base::make_output_file(path), path);
  }
  places_.back() = {file.get(), file->add_interface(interface)};
  file->add_names(names);
}

void HostCaptures::write(const capture::PcapngPacket& packet) {
  const Place& place = places_.at(packet.interface);
  if (place.file == nullptr) return;
  capture::PcapngPacket own = packet;
  own.interface = place.interface;
  place.file->write(own);
}

void HostCaptures::flush() {
  for (const auto& [host, file] : files_) file->flush();
}

void HostCaptures::finish() {
  for (const auto& [host, file] : files_) file->finish();
}

std::vector<std::filesystem::path> host_captures_in(const std::filesystem::path& run) {
  std::vector<std::filesystem::path> files;
  std::error_code unreadable;
  for (const auto& entry : std::filesystem::directory_iterator(run, unreadable)) {
    const std::filesystem::path& file = entry.path();
    if (file.filename().string().starts_with(kPrefix) && file.extension() == kSuffix)
      files.push_back(file);
  }
  std::ranges::sort(files);
  return files;
}

}  // namespace tcplab::lab
