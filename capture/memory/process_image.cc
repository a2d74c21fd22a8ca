#include "capture/memory/process_image.hh"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "capture/memory/elf_file.hh"
#include "capture/memory/mapped_file.hh"

namespace tcplab::capture {

namespace {

namespace fs = std::filesystem;

void add_symbols(Elf* elf, Elf_Scn* section, const GElf_Shdr& header, std::string_view prefix,
                 Address bias, Symbols& symbols) {
  Elf_Data* data = ::elf_getdata(section, nullptr);
  if (data == nullptr || header.sh_entsize == 0) return;
  const int count = static_cast<int>(header.sh_size / header.sh_entsize);
  for (int i = 0; i < count; ++i) {
    GElf_Sym symbol{};
    if (::gelf_getsym(data, i, &symbol) == nullptr || symbol.st_shndx == SHN_UNDEF) continue;
    const char* name = ::elf_strptr(elf, header.sh_link, symbol.st_name);
    if (name != nullptr && std::string_view(name).starts_with(prefix))
      symbols.emplace(name, symbol.st_value + bias);
  }
}

}  // namespace

std::optional<Mapping> parse_mapping(const std::string& line) {
  std::istringstream words(line);
  Mapping mapping;
  char dash = 0;
  std::string rights;
  std::string device;
  std::string inode;
  words >> std::hex >> mapping.start >> dash >> mapping.end >> rights >> mapping.offset >> device >>
      inode;
  if (!words || dash != '-' || rights.size() < 3) return std::nullopt;
  mapping.is_executable = rights[2] == 'x';
  mapping.is_writable = rights[1] == 'w';
  mapping.is_readable = rights[0] == 'r';
  std::getline(words >> std::ws, mapping.path);
  if (!mapping.path.starts_with('/')) mapping.path.clear();
  return mapping;
}

Address address_of(const Symbols& symbols, std::string_view name) {
  const auto found = symbols.find(name);
  return found == symbols.end() ? 0 : found->second;
}

ProcessImage::ProcessImage(pid_t process, std::string_view maps)
    : root_("/proc/" + std::to_string(process) + "/root") {
  std::istringstream lines{std::string(maps)};
  for (std::string line; std::getline(lines, line);)
    if (auto mapping = parse_mapping(line)) mappings_.push_back(std::move(*mapping));
  std::error_code error;
  const std::string path =
      fs::read_symlink("/proc/" + std::to_string(process) + "/exe", error).string();
  if (std::ranges::find(mappings_, path, &Mapping::path) != mappings_.end()) program_ = path;
}

const Mapping* ProcessImage::mapping(Address address) const {
  const auto found = std::ranges::find_if(mappings_, [address](const Mapping& mapping) {
    return mapping.start <= address && address < mapping.end;
  });
  return found == mappings_.end() ? nullptr : &*found;
}

std::string ProcessImage::find_file(std::string_view name_begins) const {
  const auto found = std::ranges::find_if(mappings_, [&](const Mapping& mapping) {
    return fs::path(mapping.path).filename().string().starts_with(name_begins);
  });
  return found == mappings_.end() ? "" : found->path;
}

std::string ProcessImage::place_of(const std::string& path) const { return root_ + path; }

std::optional<Address> ProcessImage::load_bias(const std::string& path) const {
  const auto first = std::ranges::find(mappings_, path, &Mapping::path);
  const ElfFile file(place_of(path));
  if (first == mappings_.end() || !file) return std::nullopt;
  std::size_t count = 0;
  if (::elf_getphdrnum(file.get(), &count) != 0) return std::nullopt;
  for (std::size_t i = 0; i < count; ++i) {
    GElf_Phdr header{};
    if (::gelf_getphdr(file.get(), static_cast<int>(i), &header) == nullptr ||
        header.p_type != PT_LOAD)
      continue;
    const Address page = static_cast<Address>(::sysconf(_SC_PAGESIZE));
    return first->start - first->offset - (header.p_vaddr - header.p_offset) / page * page;
  }
  return std::nullopt;
}

Address ProcessImage::section(const std::string& path, std::string_view name) const {
  const std::optional<Address> bias = load_bias(path);
  const ElfFile file(place_of(path));
  std::size_t names = 0;
  if (!bias || !file || ::elf_getshdrstrndx(file.get(), &names) != 0) return 0;
  Elf_Scn* section = nullptr;
  while ((section = ::elf_nextscn(file.get(), section)) != nullptr) {
    GElf_Shdr header{};
    if (::gelf_getshdr(section, &header) == nullptr) continue;
    const char* its = ::elf_strptr(file.get(), names, header.sh_name);
    if (its != nullptr && its == name) return header.sh_addr + *bias;
  }
  return 0;
}

Symbols ProcessImage::symbols(const std::string& path, std::string_view prefix) const {
  Symbols symbols;
  const std::optional<Address> bias = load_bias(path);
  const ElfFile file(place_of(path));
  if (!bias || !file) return symbols;
  Elf_Scn* section = nullptr;
  while ((section = ::elf_nextscn(file.get(), section)) != nullptr) {
    GElf_Shdr header{};
    if (::gelf_getshdr(section, &header) != nullptr &&
        (header.sh_type == SHT_DYNSYM || header.sh_type == SHT_SYMTAB))
      add_symbols(file.get(), section, header, prefix, *bias, symbols);
  }
  return symbols;
}

}  // namespace tcplab::capture
