#include "capture/stacks/frame_prologue.hh"

#include <unistd.h>

#include <array>
#include <catch2/catch.hpp>
#include <vector>

namespace tcplab::capture {

namespace {

std::optional<std::uint64_t> size_of(const std::vector<std::uint8_t>& code) {
  return frame_size(code);
}

std::uint64_t address(const std::uint8_t* place) { return reinterpret_cast<std::uint64_t>(place); }

}  // namespace

TEST_CASE("the first instructions of a function give the size of its frame") {
  CHECK(size_of({0x55, 0x48, 0x89, 0xe5}) == 0);
  CHECK(size_of({0x55, 0x48, 0x89, 0xe5, 0x48, 0x83, 0xec, 0x18, 0x90}) == 0x18);
  CHECK(size_of({0xf3, 0x0f, 0x1e, 0xfa, 0x55, 0x48, 0x89, 0xe5, 0x53}) == 8);
  // push r12; push rbx; sub rsp, 0x1000; or qword [rsp], 0; sub rsp, 0x20
  CHECK(size_of({0x55, 0x48, 0x89, 0xe5, 0x41, 0x54, 0x53, 0x48, 0x81, 0xec, 0x00, 0x10,
                 0x00, 0x00, 0x48, 0x83, 0x0c, 0x24, 0x00, 0x48, 0x83, 0xec, 0x20}) ==
        16 + 0x1000 + 0x20);
  CHECK(size_of({0x55, 0x48, 0x89, 0xe5, 0x48, 0x83, 0xc4, 0x80}) == 128);  // add rsp, -128
}

TEST_CASE("a function that begins in another way has no size") {
  CHECK(size_of({}) == std::nullopt);
  CHECK(size_of({0x55}) == std::nullopt);
  CHECK(size_of({0x48, 0x83, 0xec, 0x18}) == std::nullopt);  // keeps no frame pointer
  CHECK(size_of({0x55, 0x48, 0x89, 0xd5, 0x48, 0x83, 0xec, 0x18}) == std::nullopt);  // mov rbp, rdx
  CHECK(size_of({0x55, 0x48, 0x89, 0xe5, 0x48, 0x83, 0xc4, 0x10}) == std::nullopt);  // add rsp, 16
}

TEST_CASE("a call ends before the address that it returns to") {
  const std::array<std::uint8_t, 24> code = {0x90, 0x90, 0x90, 0xe8, 1,    2,    3,    4,
                                             0x90, 0x90, 0x90, 0x90, 0xff, 0xd0, 0x90, 0x90,
                                             0x90, 0x90, 0xff, 0x15, 1,    2,    3,    4};
  CHECK(follows_call(::getpid(), address(&code[8])));       // call rel32
  CHECK(follows_call(::getpid(), address(&code[14])));      // call rax
  CHECK(follows_call(::getpid(), address(&code[0]) + 24));  // call [rip + disp32]
  CHECK_FALSE(follows_call(::getpid(), address(&code[10])));
  CHECK_FALSE(follows_call(::getpid(), address(&code[16])));
  CHECK_FALSE(follows_call(::getpid(), 0));
  CHECK_FALSE(follows_call(::getpid(), 0x1000));
}

}  // namespace tcplab::capture
