#include "dnc/stack/stack_channel.hh"

#include <sys/socket.h>

#include <array>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <string_view>
#include <utility>

#include "base/error.hh"

namespace tcplab::dnc {

namespace {

constexpr std::size_t kLongestLine = 8 << 20;  // bytes: a read of 262144 bytes, each as \u00HH

[[noreturn]] void no_answer(const std::string& line) {
  throw StackGone("the stack has answered \"" + line.substr(0, 60) +
                  "\"; it should answer {\"id\":1,\"result\":0}");
}

}  // namespace

std::string StackAnswer::text(const char* field) const {
  const auto found = fields.find(field);
  return found != fields.end() && found->is_string() ? found->get<std::string>() : "";
}

StackChannel::Id StackChannel::send(const std::string& request) {
  const std::string line = fmt::format("{} {}\n", ++last_, request);
  for (std::string_view rest = line; !rest.empty();) {
    const ssize_t sent = ::send(descriptor_.get(), rest.data(), rest.size(), MSG_NOSIGNAL);
    if (sent == -1 && errno == EINTR) continue;
    if (sent == -1) throw StackGone(std::string("the stack is gone: ") + std::strerror(errno));
    rest.remove_prefix(static_cast<std::size_t>(sent));
  }
  return last_;
}

StackAnswer StackChannel::await(Id id) {
  while (!answers_.contains(id)) read_more(true);
  auto answer = answers_.extract(id);
  return std::move(answer.mapped());
}

bool StackChannel::has(Id id) {
  if (!answers_.contains(id)) read_more(false);
  return answers_.contains(id);
}

void StackChannel::read_more(bool waits) {
  std::array<char, 65536> block{};
  const ssize_t size =
      ::recv(descriptor_.get(), block.data(), block.size(), waits ? 0 : MSG_DONTWAIT);
  if (size == -1 && (errno == EINTR || (errno == EAGAIN && !waits))) return;
  if (size <= 0) throw StackGone("the stack has ended");
  buffer_.append(block.data(), static_cast<std::size_t>(size));
  for (auto end = buffer_.find('\n'); end != std::string::npos; end = buffer_.find('\n')) {
    take_line(buffer_.substr(0, end));
    buffer_.erase(0, end + 1);
  }
  if (buffer_.size() > kLongestLine) no_answer(buffer_);
}

void StackChannel::take_line(const std::string& line) {
  StackAnswer answer{.fields = nlohmann::json::parse(line, nullptr, false)};
  if (!answer.fields.is_object()) no_answer(line);
  const auto id = answer.fields.find("id");
  const auto result = answer.fields.find("result");
  if (id == answer.fields.end() || !id->is_number_unsigned() || result == answer.fields.end() ||
      !result->is_number_integer())
    no_answer(line);
  answer.result = result->get<std::int64_t>();
  if (answer.result < -1) no_answer(line);
  if (answer.result == -1) {
    answer.error = base::errno_number(answer.text("errno"));
    if (answer.error == 0) no_answer(line);
  }
  answers_[id->get<Id>()] = std::move(answer);
}

std::string quoted_bytes(std::string_view bytes) {
  std::string text = "\"";
  for (const char byte : bytes) {
    const auto number = static_cast<unsigned char>(byte);
    if (std::isprint(number) != 0 && byte != '"' && byte != '\\')
      text += byte;
    else
      text += fmt::format("\\x{:02x}", number);
  }
  return text + "\"";
}

std::string bytes_of(const std::string& text) {
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto lead = static_cast<unsigned char>(text[i]);
    // U+0080 to U+00FF have two bytes in UTF-8 (RFC 3629 section 3).
    if ((lead & 0xfcU) != 0xc0U || i + 1 == text.size()) {
      bytes += text[i];
      continue;
    }
    const auto next = static_cast<unsigned char>(text[++i]);
    bytes += static_cast<char>(((lead & 3U) << 6U) | (next & 0x3fU));
  }
  return bytes;
}

}  // namespace tcplab::dnc
