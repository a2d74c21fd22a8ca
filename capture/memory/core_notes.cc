#include "capture/memory/core_notes.hh"

#include <elf.h>

#include <algorithm>
#include <cstring>

namespace tcplab::capture {

namespace {

/// Takes values and texts from the front of some bytes.
class NoteReader {
public:
  explicit NoteReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  std::size_t left() const { return bytes_.size(); }

  /// Returns nothing at the end.
  template <typename Value>
  std::optional<Value> take() {
    Value value{};
    const auto bytes = take_bytes(sizeof value);
    if (bytes.size() < sizeof value) return std::nullopt;
    std::memcpy(&value, bytes.data(), sizeof value);
    return value;
  }

  std::span<const std::byte> take_bytes(std::size_t size) {
    const auto taken = bytes_.first(std::min(size, bytes_.size()));
    bytes_ = bytes_.subspan(taken.size());
    return taken;
  }

  std::string take_text() {
    const auto end = std::ranges::find(bytes_, std::byte{0});
    const auto text = take_bytes(static_cast<std::size_t>(end - bytes_.begin()));
    take_bytes(1);
    return {reinterpret_cast<const char*>(text.data()), text.size()};
  }

private:
  std::span<const std::byte> bytes_;
};

/// NT_FILE: the count of the files and the size of a page; start, end and page of each; their
/// paths.
std::vector<Mapping> parse_files(NoteReader reader) {
  constexpr std::size_t kNumbers = 3 * sizeof(std::uint64_t);
  const auto count = reader.take<std::uint64_t>();
  const auto page = reader.take<std::uint64_t>();
  if (!count || !page || *count > reader.left() / kNumbers) return {};
  std::vector<Mapping> files(*count);
  for (Mapping& file : files) {
    file.start = reader.take<std::uint64_t>().value_or(0);
    file.end = reader.take<std::uint64_t>().value_or(0);
    file.offset = reader.take<std::uint64_t>().value_or(0) * *page;
  }
  for (Mapping& file : files) file.path = reader.take_text();
  return files;
}

}  // namespace

CoreNotes parse_core_notes(std::span<const std::byte> segment) {
  constexpr std::size_t kAlignment = 4;
  const auto padded = [](std::size_t size) {
    return (size + kAlignment - 1) / kAlignment * kAlignment;
  };
  CoreNotes notes;
  NoteReader reader(segment);
  while (const auto header = reader.take<Elf64_Nhdr>()) {
    reader.take_bytes(padded(header->n_namesz));
    NoteReader content(reader.take_bytes(padded(header->n_descsz)));
    if (content.left() < header->n_descsz) break;
    if (header->n_type == NT_FILE) notes.files = parse_files(content);
    if (header->n_type == NT_AUXV) {
      const auto vector = content.take_bytes(header->n_descsz);
      notes.vector.assign(vector.begin(), vector.end());
    }
    if (header->n_type == NT_PRPSINFO) notes.process = content.take<elf_prpsinfo>();
    if (header->n_type != NT_PRSTATUS) continue;
    if (const auto thread = content.take<elf_prstatus>()) notes.threads.push_back(*thread);
  }
  return notes;
}

}  // namespace tcplab::capture
