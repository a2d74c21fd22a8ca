// What somebody may have meant: the words that exist, by how little they differ.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>

namespace tcplab::engine {

/// How many single-character edits turn one text into the other (Levenshtein).
std::size_t edit_distance(std::string_view left, std::string_view right);

/// "did you mean power-off, power-on or power?": up to three; empty when there is no word.
std::string nearest_words(const std::set<std::string>& there, const std::string& said);

}  // namespace tcplab::engine
