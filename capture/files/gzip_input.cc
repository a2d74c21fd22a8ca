#include "capture/files/gzip_input.hh"

#include <zlib.h>

#include <cerrno>
#include <cstring>

#include "base/error.hh"

namespace tcplab::capture {

namespace {

constexpr int kGzip = 16 + MAX_WBITS;  // inflateInit2() of zlib.h: expect a gzip header

}  // namespace

void GzipInput::End::operator()(z_stream_s* stream) const {
  ::inflateEnd(stream);
  delete stream;
}

GzipInput::GzipInput(Reader reader) : reader_(std::move(reader)), stream_(new z_stream_s{}) {
  if (::inflateInit2(stream_.get(), kGzip) != Z_OK)
    throw base::LabError("cannot decompress gzip: zlib has no memory");
}

bool GzipInput::is_gzip(const char* begin, std::size_t size) {
  return size >= 2 && std::memcmp(begin, "\x1f\x8b", 2) == 0;
}

/// Reads more compressed octets. Returns false at the end and on errors.
bool GzipInput::fill() {
  const long got = reader_(compressed_, sizeof compressed_);
  if (got <= 0) return false;
  stream_->next_in = reinterpret_cast<Bytef*>(compressed_);
  stream_->avail_in = static_cast<uInt>(got);
  return true;
}

long GzipInput::read(char* buffer, std::size_t size) {
  stream_->next_out = reinterpret_cast<Bytef*>(buffer);
  stream_->avail_out = static_cast<uInt>(size);
  while (!is_at_end_ && stream_->avail_out == size) {
    if (stream_->avail_in == 0 && !fill()) is_at_end_ = true;
    if (is_at_end_) break;
    const int result = ::inflate(stream_.get(), Z_NO_FLUSH);
    if (result == Z_STREAM_END) {
      ::inflateReset(stream_.get());  // another member may follow
    } else if (result != Z_OK && result != Z_BUF_ERROR) {
      errno = EBADMSG;
      return -1;
    }
  }
  return static_cast<long>(size - stream_->avail_out);
}

}  // namespace tcplab::capture
