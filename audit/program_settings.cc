#include "audit/program_settings.hh"

#include <array>

namespace tcplab::audit {

namespace {

constexpr std::array kPrograms = {
    // clients
    ProgramSettings{"psql pg_dump pg_restore pg_basebackup pgbench createdb vacuumdb",
                    "keepalives_idle=10 keepalives_interval=5 keepalives_count=4 in the connection "
                    "string",
                    "tcp_user_timeout=30000 in the connection string (libpq 12)", "",
                    "connect_timeout=10 in the connection string"},
    ProgramSettings{"ssh scp sftp sshfs autossh", "", "",
                    "-o ServerAliveInterval=10 -o ServerAliveCountMax=3", "-o ConnectTimeout=10"},
    // Its number of probes is the kernel's, 9.
    ProgramSettings{"curl", "--keepalive-time 3", "",
                    "--max-time 30, or --speed-limit 1 --speed-time 30 for long transfers",
                    "--connect-timeout 10"},
    ProgramSettings{"wget", "", "", "--read-timeout=30", "--connect-timeout=10"},
    ProgramSettings{"git", "", "",
                    "http.lowSpeedLimit=1 with http.lowSpeedTime=30; over ssh, "
                    "core.sshCommand=\"ssh -o ServerAliveInterval=10\"",
                    ""},
    ProgramSettings{"rsync", "", "", "--timeout=30", "--contimeout=10 (of a daemon)"},
    ProgramSettings{"lftp", "", "", "set net:timeout 30", "set net:timeout 30"},
    ProgramSettings{"apt apt-get", "", "", "-o Acquire::http::Timeout=30",
                    "-o Acquire::http::Timeout=30"},
    ProgramSettings{"mariadb mysql mariadb-dump mysqldump", "", "", "", "--connect-timeout=10"},
    ProgramSettings{"mosquitto_sub mosquitto_pub", "", "", "-k 10", ""},
    ProgramSettings{"ldapsearch ldapmodify", "", "", "-o nettimeout=30", "-o nettimeout=10"},
    ProgramSettings{"smbclient", "", "", "-t 30", ""},
    ProgramSettings{"etcdctl", "", "", "--keepalive-time=10s --keepalive-timeout=10s",
                    "--dial-timeout=10s"},
    ProgramSettings{"kcat kafkacat",
                    "-X socket.keepalive.enable=true, with sysctl "
                    "net.ipv4.tcp_keepalive_time=10 "
                    "net.ipv4.tcp_keepalive_intvl=5 net.ipv4.tcp_keepalive_probes=4",
                    "", "-X socket.timeout.ms=30000",
                    "-X socket.connection.setup.timeout.ms=10000"},
    // proxies
    ProgramSettings{"nginx",
                    "proxy_socket_keepalive on, with sysctl "
                    "net.ipv4.tcp_keepalive_time=10 "
                    "net.ipv4.tcp_keepalive_intvl=5 net.ipv4.tcp_keepalive_probes=4",
                    "", "proxy_read_timeout 30s", "proxy_connect_timeout 10s",
                    "so_keepalive=10s:5s:4 in the listen directive"},
    ProgramSettings{
        "haproxy", "option srvtcpka; srvtcpka-idle 10s; srvtcpka-intvl 5s; srvtcpka-cnt 4",
        "tcp-ut 30s on the server's or bind's line", "timeout server 30s", "timeout connect 10s",
        "option clitcpka; clitcpka-idle 10s; clitcpka-intvl 5s; clitcpka-cnt 4"},
    // servers
    ProgramSettings{"postgres postmaster pg_ctl pg_ctlcluster",
                    "tcp_keepalives_idle=10, tcp_keepalives_interval=5, tcp_keepalives_count=4",
                    "tcp_user_timeout=30000", "client_connection_check_interval=10s", ""},
    ProgramSettings{"sshd", "", "", "ClientAliveInterval 10, ClientAliveCountMax 3", ""},
    ProgramSettings{"redis-server", "tcp-keepalive 10", "", "timeout 300", ""},
    // languages: their standard libraries
    ProgramSettings{"python",
                    "s.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1); "
                    "s.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, 10); "
                    "s.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPINTVL, 5); "
                    "s.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPCNT, 4)",
                    "s.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 30000)",
                    "s.settimeout(30)", "socket.create_connection(address, timeout=10)"},
    // libuv adds 10 probes, each after 1 s.
    ProgramSettings{"node nodejs", "socket.setKeepAlive(true, 10000)", "",
                    "request.setTimeout(30000); with fetch, AbortSignal.timeout(30000)",
                    "AbortSignal.timeout(10000)"},
    ProgramSettings{
        "java",
        "socket.setOption(StandardSocketOptions.SO_KEEPALIVE, true); "
        "socket.setOption(ExtendedSocketOptions.TCP_KEEPIDLE, 10); "
        "socket.setOption(ExtendedSocketOptions.TCP_KEEPINTERVAL, 5); "
        "socket.setOption(ExtendedSocketOptions.TCP_KEEPCOUNT, 4)",
        "",
        "socket.setSoTimeout(30000); with HttpClient, .timeout(Duration.ofSeconds(30)) of the "
        "request's builder",
        "HttpClient.Builder.connectTimeout(Duration.ofSeconds(10))"},
    ProgramSettings{
        "go",
        "net.Dialer{KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: 10 * time.Second, "
        "Interval: 5 * time.Second, Count: 4}} (Go 1.23)",
        // 18 is TCP_USER_TIMEOUT, which the package syscall does not have.
        "net.Dialer{Control: func(_, _ string, c syscall.RawConn) error { return c.Control(func(fd "
        "uintptr) { syscall.SetsockoptInt(int(fd), syscall.IPPROTO_TCP, 18, 30000) }) }}",
        "http.Client{Timeout: 30 * time.Second}", "net.Dialer{Timeout: 10 * time.Second}"},
    ProgramSettings{"php", "", "", "default_socket_timeout=30", "default_socket_timeout=30"},
    ProgramSettings{"ruby", "", "", "Net::HTTP#read_timeout = 30", "Net::HTTP#open_timeout = 10"},
    ProgramSettings{"perl", "", "", "LWP::UserAgent->new(timeout => 30)",
                    "LWP::UserAgent->new(timeout => 10)"},
};

/// "/usr/bin/python3.11" is "python".
std::string_view command_name(std::string_view word) {
  if (const std::size_t slash = word.rfind('/'); slash != std::string_view::npos)
    word.remove_prefix(slash + 1);
  const std::size_t last = word.find_last_not_of("0123456789.");
  return last == std::string_view::npos ? word : word.substr(0, last + 1);
}

bool has_word(std::string_view words, std::string_view wanted) {
  while (!words.empty()) {
    const std::size_t space = words.find(' ');
    if (words.substr(0, space) == wanted) return true;
    if (space == std::string_view::npos) return false;
    words.remove_prefix(space + 1);
  }
  return false;
}

const ProgramSettings* program_named(std::string_view name) {
  for (const ProgramSettings& program : kPrograms)
    if (has_word(program.names, name)) return &program;
  return nullptr;
}

/// The last simple command of a line for a shell, for `sh -c`: what comes before prepares it.
std::string_view last_command(std::string_view command) {
  constexpr std::string_view kEnds = ";&|(){}\n";
  const std::size_t option = command.find(" -c ");
  if (option == std::string_view::npos) return command;
  const std::string_view shell = command_name(command.substr(0, option));
  if (!has_word("sh bash dash", shell)) return command;
  std::string_view line = command.substr(option + 4);
  const std::size_t end = line.find_last_not_of(" \t;&)}\n");
  if (end == std::string_view::npos) return command;
  line = line.substr(0, end + 1);
  const std::size_t before = line.find_last_of(kEnds);
  return before == std::string_view::npos ? line : line.substr(before + 1);
}

constexpr std::string_view kBlanks = " \t\n'\"";

/// Words that only start another command.
bool is_starter(std::string_view name) {
  return has_word("sh bash dash env exec timeout nice stdbuf setsid -c", name) ||
         name.find('=') != std::string_view::npos;
}

}  // namespace

const ProgramSettings* settings_of(const std::string& command) {
  std::string_view rest = last_command(command);
  while (true) {
    const std::size_t begin = rest.find_first_not_of(kBlanks);
    if (begin == std::string_view::npos) return nullptr;
    rest.remove_prefix(begin);
    const std::size_t end = rest.find_first_of(kBlanks);
    const std::string_view name = command_name(rest.substr(0, end));
    // A number is `timeout`'s: "timeout 30 curl".
    const bool is_number = name.find_first_not_of("0123456789.") == std::string_view::npos;
    if (!is_number && !is_starter(name)) return program_named(name);
    if (end == std::string_view::npos) return nullptr;
    rest.remove_prefix(end);
  }
}

}  // namespace tcplab::audit
