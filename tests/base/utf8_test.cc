#include "base/utf8.hh"

#include "tests/catch.hh"

using namespace tcplab;

TEST_CASE("a character of UTF-8 has 1 to 4 bytes") {
  const auto [text, code] =
      GENERATE(std::pair("a", U'a'), std::pair("\u007f", U'\u007f'), std::pair("é", U'é'),
               std::pair("→", U'→'), std::pair("\U0010ffff", U'\U0010ffff'));
  const std::string_view bytes = text;
  const base::CodePoint point = base::decode_utf8(std::string(text) + "b");
  CHECK(point.valid);
  CHECK(point.code == code);
  CHECK(point.length == bytes.size());
  CHECK(base::utf8_length(bytes[0]) == bytes.size());
  for (const char byte : bytes.substr(1)) CHECK(base::continues_utf8(byte));
  CHECK_FALSE(base::continues_utf8(bytes[0]));
}

TEST_CASE("a byte that is not UTF-8 is decoded alone") {
  const auto* const text =
      GENERATE("\x80", "\xc0\x80", "\xc1\xbf", "\xe0\x80\x80", "\xed\xa0\x80", "\xf0\x80\x80\x80",
               "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff", "\xe2\x86", "\xe2\x86z");
  const base::CodePoint point = base::decode_utf8(text);
  CHECK_FALSE(point.valid);
  CHECK(point.length == 1);
  CHECK(point.code == static_cast<unsigned char>(text[0]));
}
