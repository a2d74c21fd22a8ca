// The table of the REPL's commands.
#include <cstdint>

#include "dnc/repl/repl.hh"

namespace tcplab::dnc {

namespace {

constexpr std::size_t kAnyWords = SIZE_MAX;

/// Runs a command of one of the REPL's groups of commands.
template <auto kGroup, auto kCommand>
std::string run_in(Repl& repl, const Words& arguments) {
  return ((repl.*kGroup).*kCommand)(arguments);
}

template <auto kCommand>
std::string run_own(Repl& repl, const Words& arguments) {
  return (repl.*kCommand)(arguments);
}

}  // namespace

const std::array<Repl::Command, 31> Repl::kCommands = {
    Command{"socket", "[4|6] [nonblock]", "create a TCP socket and select it", 0, 2,
            run_in<&Repl::connection_, &ConnectionCommands::socket>},
    Command{"bind", "[HOST] PORT", "bind the socket; port 0 is any free port", 1, 2,
            run_in<&Repl::connection_, &ConnectionCommands::bind>},
    Command{"listen", "[BACKLOG]", "listen for connections", 0, 1,
            run_in<&Repl::connection_, &ConnectionCommands::listen>},
    Command{"accept", "", "accept a connection and select it", 0, 0,
            run_in<&Repl::connection_, &ConnectionCommands::accept>},
    Command{"connect", "[HOST PORT]", "connect; by default, to the last address again", 0, 2,
            run_in<&Repl::connection_, &ConnectionCommands::connect>},
    Command{"poll", "[EVENTS] [TIMEOUT]", "wait for events: poll in|out 2s; by default, forever", 0,
            2, run_in<&Repl::connection_, &ConnectionCommands::poll>},
    Command{"read", "[N]", "read at most N bytes", 0, 1,
            run_in<&Repl::transfer_, &TransferCommands::read>},
    Command{"write", "TEXT", "write text; C escapes work, quotes keep spaces", 1, kAnyWords,
            run_in<&Repl::transfer_, &TransferCommands::write>},
    Command{"fill", "N", "write N bytes", 1, 1, run_in<&Repl::transfer_, &TransferCommands::fill>},
    Command{"recv", "[N] [FLAG...]",
            "receive with flags: oob, peek, dontwait, waitall, trunc, errqueue", 0, 8,
            run_in<&Repl::transfer_, &TransferCommands::recv>},
    Command{"send", "TEXT [FLAG...]",
            "send with flags: oob, dontwait, nosignal, more, eor, zerocopy", 1, 8,
            run_in<&Repl::transfer_, &TransferCommands::send>},
    Command{"recvmsg", "[N] [FLAG...]",
            "the same, and print the control messages: TCP_INQ, SO_TIMESTAMPING", 0, 8,
            run_in<&Repl::transfer_, &TransferCommands::recvmsg>},
    Command{"splice", "in|out [N]", "move at most N bytes from the socket into a pipe, or back", 1,
            2, run_in<&Repl::transfer_, &TransferCommands::splice>},
    Command{"shutdown", "rd|wr|rdwr|N", "shut down one direction, or both", 1, 1,
            run_in<&Repl::connection_, &ConnectionCommands::shutdown>},
    Command{"close", "[FD]", "close the socket, or this one", 0, 1,
            run_in<&Repl::descriptors_, &DescriptorCommands::close>},
    Command{"dup", "", "duplicate the descriptor and select the copy", 0, 0,
            run_in<&Repl::descriptors_, &DescriptorCommands::dup>},
    Command{"pass", "", "send the descriptor into a Unix socket (SCM_RIGHTS)", 0, 0,
            run_in<&Repl::descriptors_, &DescriptorCommands::pass>},
    Command{"take", "", "receive a passed descriptor and select it", 0, 0,
            run_in<&Repl::descriptors_, &DescriptorCommands::take>},
    Command{"fork", "", "start a child that only holds our sockets", 0, 0,
            run_in<&Repl::process_, &ProcessCommands::fork>},
    Command{"kill", "", "send SIGKILL to the last child", 0, 0,
            run_in<&Repl::process_, &ProcessCommands::kill>},
    Command{"disconnect", "", "connect to AF_UNSPEC", 0, 0,
            run_in<&Repl::connection_, &ConnectionCommands::disconnect>},
    Command{"ioctl", "inq|outq|outqnsd|atmark",
            "get the unread, unacknowledged or unsent bytes, or the urgent mark", 1, 1,
            run_in<&Repl::socket_options_, &OptionCommands::ioctl>},
    Command{"limit", "N", "allow only descriptors below N (RLIMIT_NOFILE)", 1, 1,
            run_in<&Repl::process_, &ProcessCommands::limit>},
    Command{"drop", "", "drop all capabilities", 0, 0,
            run_in<&Repl::process_, &ProcessCommands::drop>},
    Command{"use", "FD", "select a descriptor, even a closed one (no system call)", 1, 1,
            run_in<&Repl::descriptors_, &DescriptorCommands::use>},
    Command{"getsockopt", "NAME", "get an option: SO_ERROR, TCP_USER_TIMEOUT, ...", 1, 1,
            run_in<&Repl::socket_options_, &OptionCommands::getsockopt>},
    Command{"setsockopt", "NAME VALUE", "set an option: SO_LINGER 0, TCP_NODELAY on, ...", 2, 2,
            run_in<&Repl::socket_options_, &OptionCommands::setsockopt>},
    Command{"nonblock", "on|off", "set or clear O_NONBLOCK", 1, 1,
            run_in<&Repl::socket_options_, &OptionCommands::nonblock>},
    Command{"info", "", "print TCP_INFO, the kernel's data about the connection", 0, 0,
            run_in<&Repl::socket_options_, &OptionCommands::info>},
    Command{"help", "", "list the commands", 0, 0, run_own<&Repl::do_help>},
    Command{"quit", "", "exit; the kernel closes what is open", 0, 0, run_own<&Repl::do_quit>},
};

}  // namespace tcplab::dnc
