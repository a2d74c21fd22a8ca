#include "audit/library.hh"

#include <algorithm>
#include <array>

namespace tcplab::audit {

namespace {

// Python's frames name a file below site-packages or dist-packages, Node's one below node_modules
// or, of Debian's packages, /usr/share/nodejs. Java's name the class, Go's the package.
constexpr std::array kLibraries = {
    Library{"packages/redis/",
            {"redis-py",
             "socket_keepalive=True, socket_keepalive_options={socket.TCP_KEEPIDLE: 10, "
             "socket.TCP_KEEPINTVL: 5, socket.TCP_KEEPCNT: 4}",
             "socket_keepalive=True, socket_keepalive_options={socket.TCP_USER_TIMEOUT: 30000}",
             "socket_timeout=30", "socket_connect_timeout=10"},
            "https://redis-py.readthedocs.io/en/stable/connections.html"},
    Library{"packages/pika/",
            {"pika", "tcp_options={\"TCP_KEEPIDLE\": 10, \"TCP_KEEPINTVL\": 5, \"TCP_KEEPCNT\": 4}",
             "tcp_options={\"TCP_USER_TIMEOUT\": 30000}",
             "heartbeat=30, blocked_connection_timeout=30", "socket_timeout=10"},
            "https://pika.readthedocs.io/en/stable/modules/parameters.html"},
    Library{"packages/psycopg2/",
            {"psycopg2", "keepalives_idle=10, keepalives_interval=5, keepalives_count=4",
             "tcp_user_timeout=30000", "", "connect_timeout=10"},
            "https://www.postgresql.org/docs/current/libpq-connect.html"},
    Library{"packages/psycopg/",
            {"psycopg", "keepalives_idle=10, keepalives_interval=5, keepalives_count=4",
             "tcp_user_timeout=30000", "", "connect_timeout=10"},
            "https://www.postgresql.org/docs/current/libpq-connect.html"},
    Library{"packages/requests/",
            {"requests", "", "", "timeout=(10, 30)", "timeout=(10, 30)"},
            "https://requests.readthedocs.io/en/latest/user/advanced/#timeouts"},
    Library{"/ioredis/",
            {"ioredis", "keepAlive: 10000", "", "commandTimeout: 30000", "connectTimeout: 10000"},
            "https://redis.github.io/ioredis/interfaces/CommonRedisOptions.html"},
    Library{"/pg/",
            {"pg", "keepAlive: true, keepAliveInitialDelayMillis: 10000", "",
             "query_timeout: 30000", "connectionTimeoutMillis: 10000"},
            "https://node-postgres.com/apis/client"},
    // It has no option: the program sends pings.
    Library{"/ws/",
            {"ws", "", "",
             "let isAlive = true; ws.on(\"pong\", () => { isAlive = true; }); "
             "setInterval(() => { if (!isAlive) return ws.terminate(); isAlive = false; "
             "ws.ping(); }, 15000)",
             "handshakeTimeout: 10000"},
            "https://github.com/websockets/ws#how-to-detect-and-close-broken-connections"},
    Library{"org.postgresql.",
            {"pgjdbc", "", "", "socketTimeout=30", "connectTimeout=10"},
            "https://jdbc.postgresql.org/documentation/use/"},
    Library{"redis.clients.jedis.",
            {"jedis", "", "", "DefaultJedisClientConfig.builder().socketTimeoutMillis(30000)",
             "DefaultJedisClientConfig.builder().connectionTimeoutMillis(10000)"},
            "https://redis.io/docs/latest/develop/clients/jedis/produsage/"},
    Library{"io.lettuce.core.",
            {"lettuce",
             "SocketOptions.builder().keepAlive(KeepAliveOptions.builder().enable()"
             ".idle(Duration.ofSeconds(10)).interval(Duration.ofSeconds(5)).count(4).build())",
             "SocketOptions.builder().tcpUserTimeout(TcpUserTimeoutOptions.builder().enable()"
             ".tcpUserTimeout(Duration.ofSeconds(30)).build())",
             "TimeoutOptions.enabled(Duration.ofSeconds(30))",
             "SocketOptions.builder().connectTimeout(Duration.ofSeconds(10))"},
            "https://redis.github.io/lettuce/advanced-usage/"},
    Library{"google.golang.org/grpc",
            {"grpc-go", "", "",
             "grpc.WithKeepaliveParams(keepalive.ClientParameters{Time: 10 * time.Second, Timeout: "
             "20 * time.Second, PermitWithoutStream: true})",
             ""},
            "https://pkg.go.dev/google.golang.org/grpc/keepalive"},
};

std::string_view without_blanks(std::string_view line) {
  const std::size_t begin = line.find_first_not_of(" \t");
  return begin == std::string_view::npos ? "" : line.substr(begin);
}

/// Whether a path in a line of Node is below one of the folders of its packages, and goes on so.
bool names_node_package(std::string_view line, std::string_view frame) {
  for (const std::string_view folder : {"/node_modules", "/usr/share/nodejs"})
    for (std::size_t at = line.find(folder); at != std::string_view::npos;
         at = line.find(folder, at + 1))
      if (line.substr(at + folder.size()).starts_with(frame)) return true;
  return false;
}

/// `  File "/usr/lib/python3/dist-packages/redis/client.py", line 7, in get`
bool is_python_frame(std::string_view line, std::string_view frame) {
  if (!line.starts_with("File \"") || !frame.starts_with("packages/")) return false;
  const std::string_view path = line.substr(0, line.find("\", line "));
  return path.size() < line.size() && (path.find("/site-" + std::string(frame)) != path.npos ||
                                       path.find("/dist-" + std::string(frame)) != path.npos);
}

/// `    at get (/srv/node_modules/ioredis/built/Redis.js:7:1)`, `	at
/// org.postgresql.Driver.run(...)`
bool is_at_frame(std::string_view line, std::string_view frame) {
  if (!line.starts_with("at ")) return false;
  return frame.starts_with('/') ? names_node_package(line, frame)
                                : line.substr(3).starts_with(frame) && frame.ends_with('.');
}

/// `google.golang.org/grpc.(*ClientConn).Invoke(0xc000...)`
bool is_go_frame(std::string_view line, std::string_view frame) {
  if (!frame.starts_with("google.") || !line.starts_with(frame)) return false;
  const std::string_view rest = line.substr(frame.size());
  return (rest.starts_with('.') || rest.starts_with('/')) && line.ends_with(')');
}

bool is_frame_of(std::string_view line, std::string_view frame) {
  return is_python_frame(line, frame) || is_at_frame(line, frame) || is_go_frame(line, frame);
}

bool has_frame(std::string_view output, std::string_view frame) {
  while (!output.empty()) {
    const std::size_t end = output.find('\n');
    if (is_frame_of(without_blanks(output.substr(0, end)), frame)) return true;
    if (end == std::string_view::npos) return false;
    output.remove_prefix(end + 1);
  }
  return false;
}

}  // namespace

const Library* library_in(std::string_view output) {
  const auto* const found = std::ranges::find_if(
      kLibraries, [&](const Library& library) { return has_frame(output, library.frame); });
  return found == kLibraries.end() ? nullptr : found;
}

const Library* library_named(std::string_view name) {
  const auto* const found = std::ranges::find_if(
      kLibraries, [&](const Library& library) { return library.settings.names == name; });
  return found == kLibraries.end() ? nullptr : found;
}

void share_libraries(Audit& audit) {
  const auto other_of = [&audit](const Cell& cell) {
    return std::ranges::find_if(audit.cells, [&cell](const Cell& other) {
      return !other.library.empty() && other.command == cell.command;
    });
  };
  for (Cell& cell : audit.cells) {
    if (!cell.library.empty() || cell.command.empty()) continue;
    if (const auto other = other_of(cell); other != audit.cells.end())
      cell.library = other->library;
  }
}

}  // namespace tcplab::audit
