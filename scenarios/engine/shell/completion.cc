#include "scenarios/engine/shell/completion.hh"

#include <algorithm>
#include <cctype>
#include <map>

#include "dnc/calls/call_names.hh"

namespace tcplab::engine {

namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Returns where the sequence of matching characters begins that ends at `end`.
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

/// Returns where an unterminated string begins; npos if none. Knows both quotes of Lua, and
/// escapes.
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

/// Returns where the bracket or string begins that ends the text.
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

/// Returns the class of a method's result, by its name in the Lua binding.
std::string class_given_by(const std::string& method) {
  static const std::map<std::string, std::string> kGiven = {
      {"expect", "expectation"}, {"never", "expectation"},
      {"within", "expectation"}, {"call", "expected call"},
      {"dnc", "program"},        {"run", "program"},
      {"at_boot", "program"},    {"type", "program"},
      {"kill", "program"},       {"connection", "connection"},
      {"lose", "fault"},         {"cut", "fault"},
      {"hold", "fault"},         {"delay", "fault"},
      {"power_off", "host"},     {"power_on", "host"},
      {"power_cycle", "host"},   {"unplug", "host"},
      {"plug", "host"},          {"crash", "host"},
      {"reboot", "host"}};
  const auto found = kGiven.find(method);
  return found == kGiven.end() ? "" : found->second;
}

CompletionQuery member_query(std::string_view receiver, char separator, std::string prefix) {
  CompletionQuery query{.kind = CompletionQuery::Kind::member,
                        .path = {},
                        .class_name = {},
                        .method = {},
                        .separator = separator,
                        .prefix = std::move(prefix)};
  if (receiver.empty()) return {};
  if (std::string_view(")}\"'").find(receiver.back()) != std::string_view::npos) {
    const std::size_t open = opening(receiver);
    if (open == std::string_view::npos) return {};
    query.class_name = class_given_by(last_word(without_blanks(receiver.substr(0, open))));
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

const std::vector<std::string>& words_of(std::string_view method) {
  static const std::vector<std::string> kStates = {
      "CLOSED",   "CLOSE_WAIT", "CLOSING",  "ESTABLISHED", "FIN_WAIT1", "FIN_WAIT2",
      "LAST_ACK", "LISTEN",     "SYN_RECV", "SYN_SENT",    "TIME_WAIT"};
  static const std::vector<std::string> kCalls(dnc::kCallNames.begin(), dnc::kCallNames.end());
  static const std::vector<std::string> kErrors = {"EAGAIN",       "ECONNREFUSED", "ECONNRESET",
                                                   "EHOSTUNREACH", "EINPROGRESS",  "ENETUNREACH",
                                                   "ENOTCONN",     "EPIPE",        "ETIMEDOUT"};
  static const std::vector<std::string> kSignals = {"SIGINT",  "SIGKILL", "SIGPIPE",
                                                    "SIGSTOP", "SIGTERM", "SIGUSR1"};
  static const std::vector<std::string> kNone;
  if (method == "in_state" || method == "still_in_state") return kStates;
  if (method == "call") return kCalls;
  if (method == "fails" || method == "gives") return kErrors;
  if (method == "signal" || method == "stop" || method == "killed_by") return kSignals;
  return kNone;
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

}  // namespace tcplab::engine
