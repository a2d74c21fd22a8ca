#include "capture/probes/program_files.hh"

#include <glob.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string_view>

#include "base/error.hh"
#include "base/split.hh"
#include "capture/memory/elf_file.hh"
#include "capture/memory/mapped_file.hh"

namespace tcplab::capture {

namespace {

namespace fs = std::filesystem;

/// What the dynamic section of a file asks for (elf(5)).
struct Needs {
  int kind = ELFCLASSNONE;  // ELFCLASS64
  unsigned machine = EM_NONE;
  std::string interpreter{};
  std::vector<std::string> libraries{};  // DT_NEEDED
  std::vector<std::string> folders{};    // DT_RUNPATH, or DT_RPATH
};

std::string replaced(std::string text, std::string_view what, const std::string& by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, what.size(), by);
  return text;
}

std::vector<std::string> folders_of(const std::string& list, const fs::path& file) {
  std::vector<std::string> folders;
  const std::string origin = file.parent_path().string();
  for (const std::string& folder : base::split(list, ':'))
    folders.push_back(replaced(replaced(folder, "${ORIGIN}", origin), "$ORIGIN", origin));
  return folders;
}

void read_dynamic(Elf* elf, Elf_Scn* section, const GElf_Shdr& header, const fs::path& path,
                  Needs& needs) {
  Elf_Data* data = ::elf_getdata(section, nullptr);
  if (data == nullptr || header.sh_entsize == 0) return;
  const int count = static_cast<int>(header.sh_size / header.sh_entsize);
  for (int i = 0; i < count; ++i) {
    GElf_Dyn entry{};
    if (::gelf_getdyn(data, i, &entry) == nullptr) continue;
    const char* text = ::elf_strptr(elf, header.sh_link, entry.d_un.d_val);
    if (text == nullptr) continue;
    if (entry.d_tag == DT_NEEDED) needs.libraries.emplace_back(text);
    const bool is_weaker = entry.d_tag == DT_RPATH && needs.folders.empty();
    if (entry.d_tag == DT_RUNPATH || is_weaker) needs.folders = folders_of(text, path);
  }
}

/// Nothing if it is no ELF file.
std::optional<Needs> needs_of(const fs::path& path) {
  const ElfFile file(path.string());
  GElf_Ehdr header{};
  if (!file || ::gelf_getehdr(file.get(), &header) == nullptr) return std::nullopt;
  Needs needs{.kind = header.e_ident[EI_CLASS], .machine = header.e_machine};
  Elf_Scn* section = nullptr;
  while ((section = ::elf_nextscn(file.get(), section)) != nullptr) {
    GElf_Shdr its{};
    if (::gelf_getshdr(section, &its) == nullptr) continue;
    if (its.sh_type == SHT_DYNAMIC) read_dynamic(file.get(), section, its, path, needs);
  }
  std::size_t count = 0;
  if (::elf_getphdrnum(file.get(), &count) != 0) return needs;
  for (std::size_t i = 0; i < count; ++i) {
    GElf_Phdr part{};
    if (::gelf_getphdr(file.get(), static_cast<int>(i), &part) == nullptr) continue;
    if (part.p_type != PT_INTERP || part.p_filesz == 0) continue;
    if (const char* text = ::elf_rawfile(file.get(), &count); text != nullptr)
      if (part.p_offset < count && part.p_filesz <= count - part.p_offset)
        needs.interpreter = std::string(text + part.p_offset, part.p_filesz - 1);
    break;
  }
  return needs;
}

/// The folders of /etc/ld.so.conf, and of the files that it includes.
void read_configuration(const std::string& path, std::vector<std::string>& folders, int depth) {
  constexpr int kDeepest = 5;
  std::ifstream file(path);
  for (std::string line; depth < kDeepest && std::getline(file, line);) {
    line.resize(std::min(line.find('#'), line.size()));
    std::istringstream words(line);
    std::string first;
    std::string pattern;
    if (!(words >> first)) continue;
    if (first != "include") {
      folders.push_back(first);
      continue;
    }
    while (words >> pattern) {
      if (!pattern.starts_with('/')) pattern = (fs::path(path).parent_path() / pattern).string();
      glob_t found{};
      if (::glob(pattern.c_str(), 0, nullptr, &found) == 0)
        for (std::size_t i = 0; i < found.gl_pathc; ++i)
          read_configuration(found.gl_pathv[i], folders, depth + 1);
      ::globfree(&found);
    }
  }
}

/// Where ld.so(8) looks after the folders that the file names.
std::vector<std::string> usual_folders() {
  std::vector<std::string> folders;
  if (const char* variable = std::getenv("LD_LIBRARY_PATH"); variable != nullptr)
    folders = base::split(variable, ':');
  read_configuration("/etc/ld.so.conf", folders, 0);
  folders.insert(folders.end(), {"/lib64", "/usr/lib64", "/lib", "/usr/lib"});
  return folders;
}

/// Of several libraries of that name, the one for this kind of processor.
std::string find_library(const std::string& name, const Needs& of,
                         const std::vector<std::string>& usual) {
  const auto fits = [&of](const std::string& path) {
    const auto needs = needs_of(path);
    return needs && needs->kind == of.kind && needs->machine == of.machine;
  };
  if (name.find('/') != std::string::npos) return fits(name) ? name : "";
  for (const auto* folders : {&of.folders, &usual})
    for (const std::string& folder : *folders)
      if (std::string path = folder + "/" + name; fits(path)) return path;
  return "";
}

bool is_file(const std::string& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

/// The first line of a file, as far as the kernel reads it (BINPRM_BUF_SIZE in linux/binfmts.h).
std::string first_line(const std::string& path) {
  std::array<char, 256> begin{};
  std::ifstream file(path);
  file.read(begin.data(), begin.size());
  const std::string_view read(begin.data(), static_cast<std::size_t>(file.gcount()));
  return std::string(read.substr(0, read.find('\n')));
}

/// The program in the first line of a script; empty if it is none. `#!/usr/bin/env NAME` is that
/// name.
std::string interpreter_of(const std::string& path) {
  const std::string line = is_file(path) ? first_line(path) : "";
  if (!line.starts_with("#!")) return "";
  std::istringstream words(line.substr(2));
  std::string program;
  words >> program;
  if (fs::path(program).filename() != "env") return program;
  std::string name;
  while (words >> name)
    if (!name.starts_with('-') && name.find('=') == std::string::npos) break;
  const char* path_variable = std::getenv("PATH");
  for (const std::string& folder : base::split(path_variable == nullptr ? "" : path_variable, ':'))
    if (::access((folder + "/" + name).c_str(), X_OK) == 0) return folder + "/" + name;
  return program;
}

std::string absolute(const std::string& path) {
  std::error_code error;
  const fs::path whole = fs::canonical(path, error);
  return error ? path : whole.string();
}

}  // namespace

ProgramFiles program_files(const std::string& path) {
  constexpr int kMostScripts = 4;  // enough for scripts whose interpreters are scripts
  std::string program = path;
  for (int i = 0; i < kMostScripts; ++i)
    if (const std::string next = interpreter_of(program); !next.empty()) program = next;
  const bool can_read = ::access(program.c_str(), R_OK) == 0;
  if (!can_read) throw base::UsageError("cannot read " + program + ": " + std::strerror(errno));
  if (!is_file(program)) throw base::UsageError(program + " is not a file");
  if (!needs_of(program))
    throw base::UsageError(program + " is neither a program nor a library nor a script");
  ProgramFiles all;
  all.is_script = program != path;
  all.files.push_back(absolute(program));
  const std::vector<std::string> usual = usual_folders();
  for (std::size_t i = 0; i < all.files.size(); ++i) {
    const auto needs = needs_of(all.files[i]);
    if (!needs) continue;
    std::vector<std::string> names = needs->libraries;
    if (!needs->interpreter.empty()) names.push_back(needs->interpreter);
    for (const std::string& name : names) {
      const std::string found = find_library(name, *needs, usual);
      auto& list = found.empty() ? all.missing : all.files;
      const std::string entry = found.empty() ? name : absolute(found);
      if (std::ranges::find(list, entry) == list.end()) list.push_back(entry);
    }
  }
  return all;
}

}  // namespace tcplab::capture
