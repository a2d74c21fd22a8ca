#include "lab/hosts/stack_calls.hh"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <utility>

#include "base/clock.hh"
#include "base/error.hh"
#include "netns/clone.hh"

namespace tcplab::lab {

namespace {

using boost::asio::posix::stream_descriptor;

constexpr std::size_t kLongestLine = 16 << 20;

base::Bytes bytes_of(const std::string& text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

/// Reads what is there. Returns nothing if it would block, and 0 at the end.
std::optional<std::size_t> read_some(int descriptor, std::string& into) {
  std::array<char, 65536> block{};
  const ssize_t size = ::read(descriptor, block.data(), block.size());
  if (size == -1 && (errno == EAGAIN || errno == EINTR)) return std::nullopt;
  if (size <= 0) return 0;
  into.append(block.data(), static_cast<std::size_t>(size));
  return static_cast<std::size_t>(size);
}

/// Takes the first whole line out of a buffer.
std::optional<std::string> take_line(std::string& buffer) {
  const auto end = buffer.find('\n');
  if (end == std::string::npos) {
    if (buffer.size() > kLongestLine) buffer.clear();
    return std::nullopt;
  }
  std::string line = buffer.substr(0, end);
  buffer.erase(0, end + 1);
  return line;
}

void do_not_block(int descriptor) {
  base::check("make a descriptor non-blocking", ::fcntl(descriptor, F_SETFL, O_NONBLOCK));
}

}  // namespace

StackCalls::Client::Client(boost::asio::io_context& loop, base::FileDescriptor ours)
    : socket(loop), answers(std::make_unique<PipeFeed>(loop, netns::duplicate(ours.get()))) {
  do_not_block(ours.get());
  socket.assign(ours.release());
}

StackCalls::StackCalls(boost::asio::io_context& loop, base::FileDescriptor requests,
                       base::FileDescriptor answers)
    : loop_(loop), requests_(loop, std::move(requests)), answers_(loop) {
  do_not_block(answers.get());
  answers_.assign(answers.release());
  read_answers();
}

/// The handlers that wait on the loop must not come back to this object.
StackCalls::~StackCalls() {
  answers_.close();
  for (const auto& client : clients_) client->socket.close();
}

base::FileDescriptor StackCalls::add_program() {
  std::array<int, 2> ends{};
  base::check("make a socket for a program's calls",
              ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()));
  base::FileDescriptor theirs(ends[1]);
  const auto client = std::make_shared<Client>(loop_, base::FileDescriptor(ends[0]));
  clients_.insert(client);
  read_requests(client);
  return theirs;
}

void StackCalls::send(const std::string& line) { requests_.write(bytes_of(line + "\n")); }

void StackCalls::read_requests(const std::shared_ptr<Client>& client) {
  client->socket.async_wait(stream_descriptor::wait_read,
                            [this, client](const boost::system::error_code& error) {
                              // settle() may have seen its end.
                              if (error || !client->socket.is_open()) return;
                              if (take_requests(client)) read_requests(client);
                            });
}

/// Takes all that the program has sent. Returns false if it has ended.
bool StackCalls::take_requests(const std::shared_ptr<Client>& client) {
  std::optional<std::size_t> size;
  do {
    size = read_some(client->socket.native_handle(), client->buffer);
    while (const auto line = take_line(client->buffer)) take_request(client, *line);
  } while (size.value_or(0) > 0);
  if (!size) return true;
  client_ended(*client);
  return false;
}

/// Gives the request a number of ours, because two programs may use the same one.
void StackCalls::take_request(const std::shared_ptr<Client>& client, const std::string& line) {
  std::istringstream words(line);
  Id id = 0;
  std::string call;
  words >> id >> call;
  std::string rest;
  std::getline(words, rest);
  if (call == "cancel") {
    Id which = 0;
    std::istringstream(rest) >> which;
    const auto asked = client->asked.find(which);
    if (asked != client->asked.end())
      send(std::to_string(++last_) + " cancel " + std::to_string(asked->second));
    return;
  }
  Request request{.client = client, .id = id};
  request.makes_descriptor = call == "socket" || call == "accept";
  if (call == "close") std::istringstream(rest) >> request.closes;
  client->asked[id] = ++last_;
  waiting_[last_] = std::move(request);
  send(std::to_string(last_) + " " + call + rest);
}

void StackCalls::read_answers() {
  answers_.async_wait(stream_descriptor::wait_read, [this](const boost::system::error_code& error) {
    if (error) return;
    if (take_answers()) return read_answers();
    if (on_end) on_end();
  });
}

/// Returns false at the end.
bool StackCalls::take_answers() {
  const auto size = read_some(answers_.native_handle(), buffer_);
  while (const auto line = take_line(buffer_)) take_answer(*line);
  return size != 0;
}

void StackCalls::await_answer(std::chrono::milliseconds most) {
  pollfd readable{answers_.native_handle(), POLLIN, 0};
  if (::poll(&readable, 1, static_cast<int>(most.count())) == 1 && !take_answers() && on_end)
    on_end();
}

void StackCalls::take_answer(const std::string& line) {
  nlohmann::json answer = nlohmann::json::parse(line, nullptr, false);
  const auto id = answer.is_object() ? answer.find("id") : answer.end();
  const bool is_answer = answer.is_object() && id != answer.end() && id->is_number_unsigned();
  const auto found = is_answer ? waiting_.find(id->get<Id>()) : waiting_.end();
  if (is_answer) closing_.erase(id->get<Id>());
  if (found == waiting_.end()) {
    if (!is_answer && on_line) on_line(line);
    return;
  }
  const Request request = std::move(found->second);
  waiting_.erase(found);
  const auto result = answer.find("result");
  const std::int64_t value =
      result != answer.end() && result->is_number_integer() ? result->get<std::int64_t>() : -1;
  const auto client = request.client.lock();
  if (client == nullptr || !client->socket.is_open()) {
    if (request.makes_descriptor && value >= 0) close_in_stack(value);
    return;
  }
  if (request.makes_descriptor && value >= 0) client->open.insert(value);
  client->open.erase(request.closes);
  client->asked.erase(request.id);
  answer["id"] = request.id;
  client->answers->write(
      bytes_of(answer.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n"));
}

/// A kernel closes the sockets of a program that has ended, and so does the lab.
void StackCalls::client_ended(Client& client) {
  for (const auto& [theirs, ours] : client.asked)
    send(std::to_string(++last_) + " cancel " + std::to_string(ours));
  for (const std::int64_t descriptor : std::exchange(client.open, {})) close_in_stack(descriptor);
  client.socket.close();
  std::erase_if(clients_, [&client](const auto& each) { return each.get() == &client; });
}

void StackCalls::close_in_stack(std::int64_t descriptor) {
  closing_.insert(++last_);
  send(std::to_string(last_) + " close " + std::to_string(descriptor));
}

void StackCalls::settle(const std::function<void()>& meanwhile) {
  constexpr std::chrono::seconds kMost(1);
  const base::Instant until = base::now() + kMost;
  for (const auto& client : std::set(clients_)) take_requests(client);
  while (!closing_.empty() && base::now() < until) {
    await_answer(std::chrono::milliseconds(1));
    if (meanwhile) meanwhile();
  }
}

}  // namespace tcplab::lab
