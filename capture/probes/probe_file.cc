#include "capture/probes/probe_file.hh"

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>
#include <string_view>

namespace tcplab::capture {

namespace {

constexpr std::string_view kNotes = ".note.stapsdt";
constexpr std::string_view kBase = ".stapsdt.base";
constexpr std::string_view kOwner = "stapsdt";
constexpr unsigned kProbe = 3;  // NT_STAPSDT

#if defined(__x86_64__)
constexpr unsigned kMachine = EM_X86_64;
#else
constexpr unsigned kMachine = EM_AARCH64;
#endif

struct Section {
  Elf_Scn* section = nullptr;
  GElf_Shdr header{};
};

std::optional<Section> find_section(Elf* elf, std::string_view name) {
  std::size_t names = 0;
  if (::elf_getshdrstrndx(elf, &names) != 0) return std::nullopt;
  Section found;
  while ((found.section = ::elf_nextscn(elf, found.section)) != nullptr) {
    if (::gelf_getshdr(found.section, &found.header) == nullptr) continue;
    const char* its = ::elf_strptr(elf, names, found.header.sh_name);
    if (its != nullptr && its == name) return found;
  }
  return std::nullopt;
}

/// Takes addresses and texts from the description of a note.
class NoteWords {
public:
  NoteWords(std::string_view bytes, bool is_wide) : bytes_(bytes), is_wide_(is_wide) {}

  Address address() {
    std::uint64_t wide = 0;
    const std::size_t size = is_wide_ ? sizeof wide : sizeof(std::uint32_t);
    const std::string_view word = take(size);
    std::memcpy(&wide, word.data(), word.size());
    return wide;
  }

  std::string_view text() {
    const std::string_view text = take(std::min(bytes_.find('\0'), bytes_.size()));
    take(1);
    return text;
  }

private:
  std::string_view take(std::size_t size) {
    const std::string_view taken = bytes_.substr(0, size);
    bytes_.remove_prefix(taken.size());
    return taken;
  }

  std::string_view bytes_;
  bool is_wide_;
};

/// prelink(8) moves sections, but does not change this note: `moved` corrects it.
ProbeSite site_of(NoteWords note, std::optional<Address> base) {
  ProbeSite site;
  site.address = note.address();
  const Address base_then = note.address();
  site.semaphore = note.address();
  const Address moved = base ? *base - base_then : 0;
  site.address += moved;
  if (site.semaphore != 0) site.semaphore += moved;
  site.provider = note.text();
  site.name = note.text();
  site.operands = parse_operands(note.text());
  return site;
}

std::vector<LoadedPart> loaded_parts(Elf* elf) {
  std::vector<LoadedPart> parts;
  std::size_t count = 0;
  if (::elf_getphdrnum(elf, &count) != 0) return parts;
  for (std::size_t i = 0; i < count; ++i) {
    GElf_Phdr header{};
    if (::gelf_getphdr(elf, static_cast<int>(i), &header) != nullptr && header.p_type == PT_LOAD)
      parts.push_back({.address = header.p_vaddr,
                       .offset = header.p_offset,
                       .size = header.p_filesz,
                       .is_executable = (header.p_flags & PF_X) != 0});
  }
  return parts;
}

std::vector<ProbeSite> sites_of(Elf* elf, bool is_wide) {
  std::vector<ProbeSite> sites;
  const auto notes = find_section(elf, kNotes);
  Elf_Data* data = notes ? ::elf_getdata(notes->section, nullptr) : nullptr;
  if (data == nullptr) return sites;
  const auto base = find_section(elf, kBase);
  const auto base_now = base ? std::optional<Address>(base->header.sh_addr) : std::nullopt;
  GElf_Nhdr header{};
  std::size_t name = 0;
  std::size_t text = 0;
  for (std::size_t next = 0; (next = ::gelf_getnote(data, next, &header, &name, &text)) > 0;) {
    const auto* bytes = static_cast<const char*>(data->d_buf);
    const std::string_view owner(bytes + name, header.n_namesz == 0 ? 0 : header.n_namesz - 1);
    if (owner != kOwner || header.n_type != kProbe) continue;
    sites.push_back(site_of({{bytes + text, header.n_descsz}, is_wide}, base_now));
  }
  return sites;
}

}  // namespace

ProbeFile read_probes(const ElfFile& file) {
  ProbeFile probes;
  GElf_Ehdr header{};
  if (!file || ::gelf_getehdr(file.get(), &header) == nullptr) return probes;
  const bool is_wide = header.e_ident[EI_CLASS] == ELFCLASS64;
  const unsigned order = std::endian::native == std::endian::little ? ELFDATA2LSB : ELFDATA2MSB;
  if (header.e_ident[EI_DATA] != order) return probes;
  probes.is_native = is_wide && header.e_machine == kMachine;
  probes.parts = loaded_parts(file.get());
  probes.sites = sites_of(file.get(), is_wide);
  return probes;
}

std::string signature(const ProbeSite& site) {
  std::string types;
  for (const ProbeOperand& operand : site.operands)
    types += (types.empty() ? "" : ", ") + type_name(operand);
  return site.full_name() + "(" + types + ")";
}

}  // namespace tcplab::capture
