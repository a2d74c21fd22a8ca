// Decompresses a gzip file (RFC 1952) as it is read, also one of several members.
#pragma once

#include <functional>
#include <memory>

struct z_stream_s;

namespace tcplab::capture {

class GzipInput {
public:
  /// Reads like read(2): returns the octets read, 0 at the end, -1 with errno on an error.
  using Reader = std::function<long(char*, std::size_t)>;

  explicit GzipInput(Reader reader);

  /// Reads decompressed octets as read(2) does. If the file is damaged, returns -1 with errno
  /// EBADMSG. A truncated file ends where its data end.
  long read(char* buffer, std::size_t size);

  /// Returns true if a file begins like this.
  static bool is_gzip(const char* begin, std::size_t size);

private:
  struct End {
    void operator()(z_stream_s* stream) const;
  };
  bool fill();

  Reader reader_;
  std::unique_ptr<z_stream_s, End> stream_;
  char compressed_[16384];
  bool is_at_end_ = false;
};

}  // namespace tcplab::capture
