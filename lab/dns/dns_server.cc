#include "lab/dns/dns_server.hh"

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ip/udp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <deque>
#include <list>
#include <utility>

#include "base/error.hh"
#include "lab/dns/later.hh"
#include "netns/namespace_guard.hh"

namespace tcplab::lab {

namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using asio::ip::udp;
using Failure = boost::system::error_code;

constexpr std::uint16_t kPort = 53;
constexpr std::size_t kLargestQuery = 65535;

asio::ip::address asio_address(const base::IpAddress& address) {
  return asio::ip::make_address(address.to_string());
}

class UdpPort {
public:
  UdpPort(asio::io_context& loop, const base::IpAddress& address, const DnsServer::Answer& answer,
          Later& later)
      : socket_(loop, udp::endpoint(asio_address(address), kPort)), answer_(answer), later_(later) {
    receive();
  }

private:
  void receive() {
    socket_.async_receive_from(asio::buffer(query_), peer_,
                               [this](const Failure& failure, std::size_t size) {
                                 if (failure == asio::error::operation_aborted) return;
                                 if (!failure)
                                   reply(size);  // else an ICMP error of an earlier reply
                                 receive();
                               });
  }

  void reply(std::size_t size) {
    const auto reply = answer_({query_.data(), size}, DnsTransport::udp);
    if (!reply || reply->bytes.empty()) return;
    later_.run(reply->delay, [this, to = peer_, bytes = reply->bytes] {
      Failure ignored;  // the kernel may have no route: the client hears nothing
      socket_.send_to(asio::buffer(bytes), to, 0, ignored);
    });
  }

  udp::socket socket_;
  const DnsServer::Answer& answer_;
  Later& later_;
  udp::endpoint peer_;
  std::array<std::uint8_t, kLargestQuery> query_{};
};

/// A connection: queries and replies, each after its length (RFC 1035, section 4.2.2).
class TcpSession : public std::enable_shared_from_this<TcpSession> {
public:
  TcpSession(tcp::socket socket, const DnsServer::Answer& answer, Later& later)
      : socket_(std::move(socket)), answer_(answer), later_(later) {}

  void receive() {
    asio::async_read(socket_, asio::buffer(length_),
                     [self = weak_from_this()](const Failure& failure, std::size_t) {
                       if (const auto session = self.lock()) session->receive_query(failure);
                     });
  }
  bool is_done() const { return is_done_; }

private:
  void receive_query(const Failure& failure) {
    if (failure) return finish();
    query_.resize(std::size_t{length_[0]} << 8 | length_[1]);
    asio::async_read(socket_, asio::buffer(query_),
                     [self = weak_from_this()](const Failure& failed, std::size_t) {
                       const auto session = self.lock();
                       if (!session) return;
                       if (failed) return session->finish();
                       session->reply();
                       session->receive();
                     });
  }

  void reply() {
    const auto reply = answer_(query_, DnsTransport::tcp);
    if (!reply || reply->bytes.empty()) return;
    DnsBytes framed{static_cast<std::uint8_t>(reply->bytes.size() >> 8),
                    static_cast<std::uint8_t>(reply->bytes.size() & 0xff)};
    framed.insert(framed.end(), reply->bytes.begin(), reply->bytes.end());
    later_.run(reply->delay, [self = weak_from_this(), framed = std::move(framed)] {
      const auto session = self.lock();
      if (!session) return;
      session->to_send_.push_back(framed);
      if (session->to_send_.size() == 1) session->send();
    });
  }

  void send() {
    asio::async_write(socket_, asio::buffer(to_send_.front()),
                      [self = weak_from_this()](const Failure& failure, std::size_t) {
                        const auto session = self.lock();
                        if (!session) return;
                        if (failure) return session->finish();
                        session->to_send_.pop_front();
                        if (!session->to_send_.empty()) session->send();
                      });
  }

  void finish() {
    is_done_ = true;
    socket_.close();
  }

  tcp::socket socket_;
  const DnsServer::Answer& answer_;
  Later& later_;
  std::array<std::uint8_t, 2> length_{};
  DnsBytes query_;
  std::deque<DnsBytes> to_send_;
  bool is_done_ = false;
};

class TcpPort {
public:
  TcpPort(asio::io_context& loop, const base::IpAddress& address, const DnsServer::Answer& answer,
          Later& later)
      : acceptor_(loop, tcp::endpoint(asio_address(address), kPort)),
        answer_(answer),
        later_(later) {
    accept();
  }

private:
  void accept() {
    acceptor_.async_accept([this](const Failure& failure, tcp::socket socket) {
      if (failure == asio::error::operation_aborted) return;
      std::erase_if(sessions_, [](const auto& session) { return session->is_done(); });
      if (!failure) {
        sessions_.push_back(std::make_shared<TcpSession>(std::move(socket), answer_, later_));
        sessions_.back()->receive();
      }
      accept();
    });
  }

  tcp::acceptor acceptor_;
  const DnsServer::Answer& answer_;
  Later& later_;
  std::list<std::shared_ptr<TcpSession>> sessions_;
};

}  // namespace

struct DnsServer::Implementation {
  Implementation(Clock& clock, Answer given) : answer(std::move(given)), later(clock) {}

  Answer answer;
  std::list<UdpPort> udp;
  std::list<TcpPort> tcp;
  Later later;  // first to go: its tasks use the sockets
};

DnsServer::DnsServer(boost::asio::io_context& loop, Clock& clock, int network_namespace,
                     std::span<const base::IpAddress> addresses, Answer answer)
    : implementation_(std::make_unique<Implementation>(clock, std::move(answer))) {
  const netns::NamespaceGuard inside(network_namespace);
  Implementation& own = *implementation_;
  for (const base::IpAddress& address : addresses) try {
      own.udp.emplace_back(loop, address, own.answer, own.later);
      own.tcp.emplace_back(loop, address, own.answer, own.later);
    } catch (const boost::system::system_error& error) {
      throw base::LabError("cannot answer DNS on " + address.to_string() +
                           " port 53: " + error.code().message());
    }
}

DnsServer::~DnsServer() = default;

}  // namespace tcplab::lab
