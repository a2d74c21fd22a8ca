// How a function of x86-64 makes its frame: "push rbp; mov rbp, rsp; push rbx; sub rsp, 24". The
// kernel shows the stack pointer of a waiting thread, but not its frame pointer (rbp). Where a
// function has made its frame in this way, and makes it no larger afterwards, one gives the other.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <span>

namespace tcplab::capture {

constexpr std::size_t kLongestPrologue = 96;  // bytes

/// Returns by how much rbp is above rsp, in bytes; nothing if the code begins in another way.
std::optional<std::uint64_t> frame_size(std::span<const std::uint8_t> code);

/// Whether a call instruction ends at this address of a process.
bool follows_call(pid_t process, std::uint64_t address);

}  // namespace tcplab::capture
