#include "reports/text/text.hh"

#include "reports/ladder/row.hh"
#include "reports/text/styled_text.hh"
#include "tests/catch.hh"

namespace tcplab::reports::tests {

TEST_CASE("control characters are escaped") {
  CHECK(printable("plain, déjà vu → 你好") == "plain, déjà vu → 你好");
  CHECK(printable("a\nb\tc\r") == "a\\nb\\tc\\r");
  CHECK(printable("\x1b[31m\x07\x7f") == "\\x1b[31m\\x07\\x7f");
  // Some terminals treat C1 controls as escape sequences: U+009B is CSI.
  CHECK(printable("\xc2\x9b"
                  "31m") == "\\x9b31m");
  CHECK(printable("safe\xe2\x80\xaetxt.exe") == "safe\\u202etxt.exe");
  CHECK(printable(std::string_view("\0", 1)) == "\\x00");
  CHECK(printable("\xef\xbf\xbe \xef\xbf\xbf") == "\\ufffe \\uffff");
}

TEST_CASE("bytes that are not UTF-8 are escaped") {
  CHECK(printable("\xff") == "\\xff");
  CHECK(printable("\xc3") == "\\xc3");                    // cut off
  CHECK(printable("\xc0\xaf") == "\\xc0\\xaf");           // overlong
  CHECK(printable("\xe0\x80\xaf") == "\\xe0\\x80\\xaf");  // overlong
  CHECK(printable("\xed\xa0\x80") == "\\xed\\xa0\\x80");  // a surrogate
  CHECK(printable("\xf4\x90\x80\x80") == "\\xf4\\x90\\x80\\x80");
}

TEST_CASE("columns count as on a terminal") {
  CHECK(columns("") == 0);
  CHECK(columns("──▶│✓") == 5);
  CHECK(columns("你好") == 4);
  CHECK(columns("e\xcc\x81") == 1);  // a combining accent
  CHECK(first_columns("a你b", 2) == "a");
  CHECK(first_columns("a你b", 3) == "a你");
}

TEST_CASE("text is cut with an ellipsis") {
  CHECK(fit("hello", 5, {}) == "hello");
  CHECK(fit("hello!", 5, {}) == "hell…");
  CHECK(fit("hello!", 5, {.unicode = false}) == "he...");
  CHECK(fit("hello!", 1, {}) == "h");
  CHECK(fit("hello!", 0, {}).empty());
}

TEST_CASE("a cut quotation keeps its closing quote") {
  const StyledText text("write(3) = 22 \"kodos, are you there?\\n\"");
  CHECK(text.fitted(24, {}).text() == "write(3) = 22 \"kodos, …\"");
  CHECK(text.fitted(24, {}).columns() == 24);
  CHECK(text.fitted(100, {}).text() == text.text());
}

TEST_CASE("paragraphs are wrapped at blanks") {
  using Lines = std::vector<std::string>;
  CHECK(wrap("one two three", 7) == Lines{"one two", "three"});
  CHECK(wrap("one two\nthree", 40) == Lines{"one two", "three"});
  CHECK(wrap("incomprehensibilities", 8) == Lines{"incompre", "hensibil", "ities"});
  CHECK(wrap("", 10) == Lines{""});
  CHECK(wrap("a\n\nb", 10) == Lines{"a", "", "b"});
  CHECK(wrap("ab", 0) == Lines{"a", "b"});
  CHECK(wrap("\x1b[1m", 10) == Lines{"\\x1b[1m"});
}

TEST_CASE("without UTF-8 every character has an ASCII replacement") {
  CHECK(to_ascii("│── data 22 ──╳ ┤ ▶ ✓ ✗ → ═ ⋮") == "|-- data 22 --X | > + ! > = :");
  CHECK(to_ascii("é你") == "???");
}

TEST_CASE("colours appear only if requested") {
  const StyledText text = StyledText("read = ").add("-1", Paint::error);
  CHECK(render(text, {}) == "read = -1");
  CHECK(render(text, {.colour = true}) == "read = \x1b[1;31m-1\x1b[0m");
}

TEST_CASE("a row cuts text at its edges") {
  Row row(10);
  row.put(-2, "abcd");
  row.put(8, "你好");
  row.put(4, "x");
  CHECK(row.styled().text() == "cd  x   你");
  Row narrow(3);
  narrow.put(2, "你");  // half a wide character cannot be drawn
  narrow.put(1, "|");
  CHECK(narrow.styled().text() == " |");
}

}  // namespace tcplab::reports::tests
