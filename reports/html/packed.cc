#include "reports/html/packed.hh"

#include <zlib.h>

#include <boost/archive/iterators/base64_from_binary.hpp>
#include <boost/archive/iterators/transform_width.hpp>

#include "base/error.hh"

namespace tcplab::html {

namespace {

std::string deflated(std::string_view text) {
  uLongf size = ::compressBound(text.size());
  std::string out(size, '\0');
  const int result =
      ::compress2(reinterpret_cast<Bytef*>(out.data()), &size,
                  reinterpret_cast<const Bytef*>(text.data()), text.size(), Z_BEST_COMPRESSION);
  if (result != Z_OK) throw base::LabError(std::string("cannot pack a page: ") + zError(result));
  out.resize(size);
  return out;
}

}  // namespace

std::string in_base64(std::string octets) {
  using namespace boost::archive::iterators;
  using Digits = base64_from_binary<transform_width<std::string::const_iterator, 6, 8>>;
  const std::size_t padding = (3 - octets.size() % 3) % 3;
  octets.append(padding, '\0');  // the iterators take groups of three octets
  std::string out(Digits(octets.cbegin()), Digits(octets.cend()));
  return out.replace(out.size() - padding, padding, padding, '=');
}

std::string packed(std::string_view text) { return in_base64(deflated(text)); }

}  // namespace tcplab::html
