#include "capture/memory/program_identity.hh"

#include <elf.h>

#include <array>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <string_view>
#include <vector>

#include "base/fnv_hash.hh"

namespace tcplab::capture {

namespace {

std::string hash_of(std::span<const std::byte> bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return fmt::format("{:016x}", base::fnv_hash(text));
}

bool agree(const std::string& one, const std::string& other) {
  return one.empty() || other.empty() || one == other;
}

}  // namespace

bool ProgramIdentity::may_be(const ProgramIdentity& other) const {
  return agree(vector, other.vector) && agree(random, other.random);
}

ProgramIdentity program_identity(std::span<const std::byte> vector, const ProcessMemory& memory) {
  std::size_t used = 0;  // what follows AT_NULL is not the kernel's
  Address random_at = 0;
  Elf64_auxv_t entry{};
  for (; used + sizeof entry <= vector.size(); used += sizeof entry) {
    std::memcpy(&entry, vector.data() + used, sizeof entry);
    if (entry.a_type == AT_NULL) break;
    if (entry.a_type == AT_RANDOM) random_at = entry.a_un.a_val;
  }
  ProgramIdentity identity;
  if (used == 0) return identity;
  identity.vector = hash_of(vector.first(used));
  std::array<std::byte, 16> random{};
  if (random_at != 0 && memory.read(random_at, random) == random.size())
    identity.random = hash_of(random);
  return identity;
}

ProgramIdentity program_identity(pid_t process) {
  std::ifstream file(fmt::format("/proc/{}/auxv", process), std::ios::binary);
  const std::vector<char> vector{std::istreambuf_iterator<char>(file), {}};
  const LiveMemory memory(process);
  return program_identity(std::as_bytes(std::span(vector)), memory);
}

}  // namespace tcplab::capture
