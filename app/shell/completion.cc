#include "app/shell/completion.hh"

#include <algorithm>
#include <cctype>

#include "app/script/lua_objects.hh"
#include "app/verbs/script_interface.hh"

namespace tcplab::app {

namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Where the characters of that kind before `end` begin.
template <typename Is>
std::size_t begin_of(std::string_view text, std::size_t end, Is is) {
  while (end > 0 && is(text[end - 1])) --end;
  return end;
}

std::string_view without_blanks(std::string_view text) {
  const auto last = text.find_last_not_of(" \t\n");
  return text.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

std::string last_word(std::string_view text) {
  return std::string(text.substr(begin_of(text, text.size(), is_word)));
}

/// Where an unfinished quotation begins; npos if there is none.
std::size_t open_quotation(std::string_view text) {
  std::size_t open = std::string_view::npos;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (open == std::string_view::npos) {
      if (text[i] == '"' || text[i] == '\'') open = i;
    } else if (text[i] == '\\') {
      ++i;
    } else if (text[i] == text[open]) {
      open = std::string_view::npos;
    }
  }
  return open;
}

/// Where the bracket or quotation at the end of the text begins.
std::size_t opening(std::string_view text) {
  const char close = text.back();
  if (close == '"' || close == '\'') return text.rfind(close, text.size() - 2);
  const char open = close == ')' ? '(' : '{';
  int depth = 0;
  for (std::size_t i = text.size(); i > 0; --i) {
    if (text[i - 1] == close) ++depth;
    if (text[i - 1] == open && --depth == 0) return i - 1;
  }
  return std::string_view::npos;
}

/// Lua calls end with a bracket or a quotation.
bool ends_a_call(std::string_view text) {
  return std::string_view(")}\"'").find(text.back()) != std::string_view::npos;
}

std::string class_of(std::string_view receiver);

/// The class of what a call returns, by the registration of its verb; empty if unknown.
/// `call`: "lab:expect(client)".
std::string class_given_by(std::string_view call) {
  const std::size_t open = opening(call);
  if (open == std::string_view::npos) return "";
  const std::string_view head = without_blanks(call.substr(0, open));
  const std::size_t begin = begin_of(head, head.size(), is_word);
  if (begin == 0 || head[begin - 1] != ':') return "";
  const LuaInterface& all = script_interface();
  const LuaVerb* verb = all.find_verb(class_of(head.substr(0, begin - 1)), head.substr(begin));
  if (verb == nullptr || verb->results.size() != 1) return "";
  return all.find_class(verb->results.front()) == nullptr ? "" : verb->results.front();
}

/// The class of an expression before a colon; empty if unknown.
std::string class_of(std::string_view receiver) {
  if (receiver.empty()) return "";
  if (ends_a_call(receiver)) return class_given_by(receiver);
  return last_word(receiver) == LuaLab::kLuaName ? LuaLab::kLuaName : "";
}

CompletionQuery member_query(std::string_view receiver, char separator, std::string prefix) {
  CompletionQuery query{.kind = CompletionQuery::Kind::member,
                        .path = {},
                        .class_name = {},
                        .method = {},
                        .separator = separator,
                        .prefix = std::move(prefix)};
  if (receiver.empty()) return {};
  if (ends_a_call(receiver)) {
    query.class_name = class_given_by(receiver);
    return query.class_name.empty() ? CompletionQuery{} : query;
  }
  const auto in_path = [](char c) { return is_word(c) || c == '.'; };
  query.path = std::string(receiver.substr(begin_of(receiver, receiver.size(), in_path)));
  return query.path.empty() ? CompletionQuery{} : query;
}

CompletionQuery text_query(std::string_view before, std::size_t quotation) {
  std::string_view head = without_blanks(before.substr(0, quotation));
  if (head.ends_with('(')) head = without_blanks(head.substr(0, head.size() - 1));
  return {.kind = CompletionQuery::Kind::text,
          .path = {},
          .class_name = {},
          .method = last_word(head),
          .separator = 0,
          .prefix = std::string(before.substr(quotation + 1))};
}

}  // namespace

CompletionQuery completion_query(std::string_view before) {
  const std::size_t quotation = open_quotation(before);
  if (quotation != std::string_view::npos) return text_query(before, quotation);
  const std::size_t begin = begin_of(before, before.size(), is_word);
  std::string prefix(before.substr(begin));
  if (begin > 0 && (before[begin - 1] == ':' || before[begin - 1] == '.'))
    return member_query(before.substr(0, begin - 1), before[begin - 1], std::move(prefix));
  return {.kind = CompletionQuery::Kind::name,
          .path = {},
          .class_name = {},
          .method = {},
          .separator = 0,
          .prefix = std::move(prefix)};
}

std::vector<std::string> words_of(std::string_view method) {
  const LuaInterface& all = script_interface();
  for (const LuaClass& known : all.classes())
    for (const LuaVerb& verb : known.verbs) {
      if (verb.name != method || verb.parameters.empty()) continue;
      if (const LuaWords* words = all.find_words(verb.parameters.front().type)) return words->words;
    }
  return {};
}

std::string common_beginning(const std::vector<std::string>& words) {
  if (words.empty()) return "";
  std::string common = words.front();
  for (const std::string& word : words) {
    const auto [mine, other] =
        std::mismatch(common.begin(), common.end(), word.begin(), word.end());
    common.erase(mine, common.end());
  }
  return common;
}

std::string in_columns(const std::vector<std::string>& words, std::size_t width) {
  std::size_t widest = 1;
  for (const std::string& word : words) widest = std::max(widest, word.size() + 2);
  const std::size_t in_a_line = std::max<std::size_t>(1, width / widest);
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    text += words[i];
    const bool ends = (i + 1) % in_a_line == 0 || i + 1 == words.size();
    text += ends ? "\n" : std::string(widest - words[i].size(), ' ');
  }
  return text;
}

}  // namespace tcplab::app
