#include "base/nearest.hh"

#include <algorithm>
#include <vector>

namespace tcplab::base {

namespace {

std::size_t letters_in(std::string_view word) {
  return word.size() - std::min(word.find_first_not_of('-'), word.size());
}

}  // namespace

std::size_t edit_distance(std::string_view left, std::string_view right) {
  std::vector<std::vector<std::size_t>> table(left.size() + 1,
                                              std::vector<std::size_t>(right.size() + 1));
  for (std::size_t i = 0; i <= left.size(); ++i) table[i][0] = i;
  for (std::size_t j = 0; j <= right.size(); ++j) table[0][j] = j;
  for (std::size_t i = 1; i <= left.size(); ++i) {
    for (std::size_t j = 1; j <= right.size(); ++j) {
      const std::size_t replaced = table[i - 1][j - 1] + (left[i - 1] == right[j - 1] ? 0 : 1);
      table[i][j] = std::min({table[i - 1][j] + 1, table[i][j - 1] + 1, replaced});
      const bool is_swap =
          i > 1 && j > 1 && left[i - 1] == right[j - 2] && left[i - 2] == right[j - 1];
      if (is_swap) table[i][j] = std::min(table[i][j], table[i - 2][j - 2] + 1);
    }
  }
  return table[left.size()][right.size()];
}

std::string nearest_words(const std::set<std::string>& there, const std::string& said) {
  if (there.empty()) return "";
  std::vector<std::string> words(there.begin(), there.end());
  std::ranges::stable_sort(words, {},
                           [&](const std::string& word) { return edit_distance(word, said); });
  std::string text = "did you mean ";
  const std::size_t count = std::min<std::size_t>(3, words.size());
  for (std::size_t i = 0; i < count; ++i)
    text += (i == 0 ? "" : i + 1 == count ? " or " : ", ") + words[i];
  return text + "?";
}

std::string probable_words(const std::set<std::string>& there, const std::string& said) {
  constexpr std::size_t kShortestStart = 3;
  const auto distance = [&](const std::string& word) {
    if (said.size() >= kShortestStart && word.starts_with(said)) return std::size_t{1};
    return edit_distance(word, said);
  };
  std::size_t least = std::max<std::size_t>(1, letters_in(said) / 3);
  std::set<std::string> nearest;
  for (const std::string& word : there) {
    if (distance(word) > least) continue;
    if (distance(word) < least) nearest.clear();
    least = distance(word);
    nearest.insert(word);
  }
  return nearest.empty() ? "" : "; " + nearest_words(nearest, said);
}

}  // namespace tcplab::base
