#include "lab/hosts/kernel_choice.hh"

#include <unistd.h>

#include <algorithm>
#include <boost/interprocess/exceptions.hpp>
#include <boost/interprocess/file_mapping.hpp>
#include <boost/interprocess/mapped_region.hpp>
#include <cctype>
#include <cstdlib>
#include <functional>
#include <iterator>

#include "base/error.hh"
#include "base/kernel_version.hh"
#include "base/own_part.hh"
#include "base/split.hh"

namespace tcplab::lab {

namespace {

namespace fs = std::filesystem;
namespace interprocess = boost::interprocess;

constexpr const char* kPackaged = "linux.uml";
constexpr std::string_view kOption = "uml_dir=";  // an option that only such a kernel has
constexpr std::string_view kBanner = "Linux version ";

/// Returns the program in PATH; empty if there is none.
fs::path find_in_path(const std::string& program) {
  const char* path = std::getenv("PATH");
  for (const std::string& folder : base::split(path != nullptr ? path : "/usr/bin:/bin", ':')) {
    fs::path candidate = fs::path(folder) / program;
    if (::access(candidate.c_str(), X_OK) == 0) return candidate;
  }
  return {};
}

/// `release` is empty if the program is no such kernel, or cannot be read.
KernelChoice kernel_at(const fs::path& program) try {
  // Mapped: a kernel has 10 MB, and to copy them would take as long as to boot it.
  const interprocess::file_mapping file(program.c_str(), interprocess::read_only);
  const interprocess::mapped_region region(file, interprocess::read_only);
  const std::string_view text(static_cast<const char*>(region.get_address()), region.get_size());
  return {.kernel = fs::absolute(program),
          .release = release_of_kernel(text),
          .has_tracepoints = has_tracefs(text)};
} catch (const interprocess::interprocess_exception&) {
  return {};
}

/// "6.1" stands for "6.1.176", but not for "6.12".
bool is_version_of(const std::string& version, const std::string& release) {
  return release == version || release.starts_with(version + ".") ||
         release.starts_with(version + "-");
}

bool is_version(const std::string& text) {
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text.front())) != 0 &&
         text.find('/') == std::string::npos;
}

KernelChoice kernel_of_version(const std::string& version) {
  if (version.find('.') == std::string::npos)
    throw base::UsageError("--kernel " + version + ": give two numbers, such as 6.1");
  std::string known(kThisKernel);
  for (const KernelChoice& kernel : known_kernels()) {
    if (is_version_of(version, kernel.release)) return kernel;
    known += ", " + kernel.release;
  }
  throw base::UsageError("--kernel " + version + ": no such kernel; there is " + known +
                         "; install the package user-mode-linux, run tcplab kernels build " +
                         version + ", or give the path of a kernel");
}

KernelChoice kernel_of_path(const std::string& path) {
  std::error_code unknown;
  if (!fs::exists(path, unknown))
    throw base::UsageError("--kernel " + path +
                           ": no such file; give this, a version, or the path of a "
                           "kernel (see tcplab kernels)");
  KernelChoice kernel = fs::is_regular_file(path, unknown) ? kernel_at(path) : KernelChoice{};
  if (kernel.release.empty())
    throw base::UsageError("--kernel " + path + ": this is not a User-mode Linux kernel");
  if (::access(path.c_str(), X_OK) != 0)
    throw base::UsageError("--kernel " + path + ": this file cannot be executed; chmod +x " + path);
  return kernel;
}

}  // namespace

std::string KernelChoice::version() const {
  const auto minor = release.find('.');
  return minor == std::string::npos ? release : release.substr(0, release.find('.', minor + 1));
}

bool KernelChoice::may_skip_time() const {
  const auto has_clock = [](const auto& each) { return each.second.has_lab_clock; };
  return is_virtual && (is_own() || (!stacks.empty() && std::ranges::all_of(stacks, has_clock)));
}

std::string KernelChoice::variant() const {
  std::string words = is_own() ? ", Linux " + release : "";
  for (const std::string& stack : stack_words()) words += ", " + stack;
  return words;
}

std::vector<std::string> KernelChoice::stack_words() const {
  std::vector<std::string> words;
  for (const auto& [host, stack] : stacks) words.push_back(host + "=" + stack.name);
  return words;
}

std::string release_of_kernel(std::string_view text) {
  if (text.find(kOption) == std::string_view::npos) return {};
  for (std::size_t at = text.find(kBanner); at != std::string_view::npos;
       at = text.find(kBanner, at + 1)) {
    const std::string_view rest = text.substr(at + kBanner.size(), 100);
    const std::string_view release = rest.substr(0, rest.find(' '));
    // The kernel's text for a banner has "%s" there.
    if (is_version(std::string(release)) && release.size() < rest.size())
      return std::string(release);
  }
  return {};
}

bool has_tracefs(std::string_view text) {
  return text.find("trace_pipe_raw") != std::string_view::npos;
}

std::vector<KernelChoice> known_kernels() {
  std::vector<KernelChoice> known;
  if (const fs::path packaged = find_in_path(kPackaged); !packaged.empty())
    if (KernelChoice kernel = kernel_at(packaged); !kernel.release.empty())
      known.push_back(std::move(kernel));
  std::vector<KernelChoice> built;
  std::error_code missing;
  for (const auto& entry : fs::directory_iterator(built_kernels_folder(), missing))
    if (entry.is_regular_file() && ::access(entry.path().c_str(), X_OK) == 0)
      if (KernelChoice kernel = kernel_at(entry.path()); !kernel.release.empty())
        built.push_back(std::move(kernel));
  std::ranges::sort(built, std::ranges::greater(), [](const KernelChoice& kernel) {
    return base::version_of_release(kernel.release);
  });
  std::ranges::move(built, std::back_inserter(known));
  return known;
}

fs::path built_kernels_folder() {
  const fs::path cache = base::own_cache_folder();
  return cache.empty() ? cache : cache / "kernels";
}

KernelChoice choose_kernel(const std::string& name) {
  if (name == kThisKernel) return {};
  std::error_code unknown;
  if (name.find(',') != std::string::npos && !fs::exists(name, unknown))
    throw base::UsageError("--kernel " + name +
                           ": give one kernel; to compare several: tcplab matrix --kernel " + name);
  if (is_version(name)) return kernel_of_version(name);
  return kernel_of_path(name);
}

}  // namespace tcplab::lab
