#include "app/audit/output_template.hh"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace tcplab::app {

namespace {

/// The lines with their ends: "a\n", and perhaps a last one without.
std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t length = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, length));
    text.remove_prefix(length);
  }
  return lines;
}

bool is_word(char each) { return std::isalnum(static_cast<unsigned char>(each)) != 0; }

/// Whether this character is of a token: also one that joins two words, as in "09:29:35.5".
bool is_in_token(std::string_view line, std::size_t at) {
  if (is_word(line[at])) return true;
  constexpr std::string_view kJoints = "._:,+-/@";
  return at > 0 && at + 1 < line.size() && kJoints.find(line[at]) != std::string_view::npos &&
         is_word(line[at - 1]) && is_word(line[at + 1]);
}

/// Tokens, and single characters between them.
std::vector<std::string_view> pieces_of(std::string_view line) {
  std::vector<std::string_view> pieces;
  for (std::size_t at = 0; at < line.size();) {
    std::size_t end = at;
    while (end < line.size() && is_in_token(line, end)) ++end;
    end = std::max(end, at + 1);
    pieces.push_back(line.substr(at, end - at));
    at = end;
  }
  return pieces;
}

/// Programs align columns with blanks: their number is no difference of its own.
std::vector<std::string_view> without_blanks(std::vector<std::string_view> pieces) {
  std::erase(pieces, " ");
  return pieces;
}

std::string_view without_end(std::string_view line) {
  return line.ends_with('\n') ? line.substr(0, line.size() - 1) : line;
}

/// Whether the lines have the same tokens but for some that differ.
bool is_alike(std::string_view one, std::string_view other) {
  const auto pieces = without_blanks(pieces_of(one));
  return std::ranges::equal(pieces, without_blanks(pieces_of(other)),
                            [](std::string_view left, std::string_view right) {
                              return left == right || (is_word(left[0]) && is_word(right[0]));
                            });
}

class TemplateMaker {
public:
  void add_pair(std::string_view line, std::string_view other) {
    if (line == other) {
      made_.text += line;
      return;
    }
    if (!is_alike(line, other)) {
      add_mark(kAnyLine, line);
      return;
    }
    const auto others = without_blanks(pieces_of(other));
    std::size_t index = 0;
    for (const std::string_view piece : pieces_of(line)) {
      const bool is_same = piece == " " || piece == others[index];
      if (piece != " ") ++index;
      if (is_same) {
        made_.text += piece;
        continue;
      }
      made_.text += kAnyToken;
      made_.masks.emplace_back(piece);
    }
  }

  /// Lines of which the other output has more or fewer.
  void add_gap(const std::vector<std::string_view>& lines) {
    made_.text += std::string(1, kAnyLines) + "\n";
    made_.masks.push_back(lines.empty() ? "some lines" : std::string(without_end(lines.front())));
  }

  OutputTemplate made() { return std::move(made_); }

private:
  void add_mark(char mark, std::string_view line) {
    made_.text += mark;
    if (line.ends_with('\n')) made_.text += '\n';
    made_.masks.emplace_back(without_end(line));
  }

  OutputTemplate made_;
};

}  // namespace

OutputTemplate template_of(const std::string& first, const std::string& second) {
  constexpr std::string_view kMarks("\1\2\3", 3);
  if (first == second || first.find_first_of(kMarks) != std::string::npos) return {.text = first};
  const std::vector<std::string_view> lines = lines_of(first);
  const std::vector<std::string_view> others = lines_of(second);
  const std::size_t least = std::min(lines.size(), others.size());
  const bool has_as_many = lines.size() == others.size();
  std::size_t begin = 0;
  while (begin < least && (has_as_many || is_alike(lines[begin], others[begin]))) ++begin;
  std::size_t end = 0;
  while (begin + end < least &&
         is_alike(lines[lines.size() - 1 - end], others[others.size() - 1 - end]))
    ++end;
  TemplateMaker maker;
  for (std::size_t i = 0; i < begin; ++i) maker.add_pair(lines[i], others[i]);
  if (!has_as_many)
    maker.add_gap({lines.begin() + static_cast<std::ptrdiff_t>(begin),
                   lines.end() - static_cast<std::ptrdiff_t>(end)});
  for (std::size_t i = end; i > 0; --i)
    maker.add_pair(lines[lines.size() - i], others[others.size() - i]);
  return maker.made();
}

}  // namespace tcplab::app
