// gVisor's netstack as the TCP stack of a host in the lab. Descriptor 3 is the NIC: each read or
// write is one Ethernet frame. It makes the calls that `tcplab --stack` asks for: docs/stacks.md,
// "The calls of a stack".
package main

import (
	"bufio"
	"bytes"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"gvisor.dev/gvisor/pkg/tcpip"
	"gvisor.dev/gvisor/pkg/tcpip/header"
	"gvisor.dev/gvisor/pkg/tcpip/link/fdbased"
	"gvisor.dev/gvisor/pkg/tcpip/network/arp"
	"gvisor.dev/gvisor/pkg/tcpip/network/ipv4"
	"gvisor.dev/gvisor/pkg/tcpip/network/ipv6"
	"gvisor.dev/gvisor/pkg/tcpip/stack"
	"gvisor.dev/gvisor/pkg/tcpip/transport/icmp"
	"gvisor.dev/gvisor/pkg/tcpip/transport/tcp"
	"gvisor.dev/gvisor/pkg/waiter"
)

const nicID = 1

// A socket of a program.
type socket struct {
	endpoint    tcpip.Endpoint
	queue       *waiter.Queue
	family      tcpip.NetworkProtocolNumber
	nonBlocking bool
	ended       chan struct{} // closed by close
}

var (
	netstack *stack.Stack
	sockets  = map[int]*socket{}
	next     = 3
	polls    = map[string]chan struct{}{} // of the requests that wait; closed by cancel
	table    sync.Mutex                   // of the three above
	output   sync.Mutex
)

func answer(id string, result int, err tcpip.Error, more string) {
	output.Lock()
	defer output.Unlock()
	if err != nil {
		fmt.Printf("{\"id\":%s,\"result\":-1,\"errno\":\"%s\"%s}\n", id, errorName(err), more)
	} else {
		fmt.Printf("{\"id\":%s,\"result\":%d%s}\n", id, result, more)
	}
}

func fail(id, name string) {
	output.Lock()
	defer output.Unlock()
	fmt.Printf("{\"id\":%s,\"result\":-1,\"errno\":\"%s\"}\n", id, name)
}

// The errors as gVisor's sentry translates them (pkg/syserr/netstack.go).
func errorName(err tcpip.Error) string {
	switch err.(type) {
	case *tcpip.ErrConnectionReset:
		return "ECONNRESET"
	case *tcpip.ErrConnectionRefused:
		return "ECONNREFUSED"
	case *tcpip.ErrTimeout:
		return "ETIMEDOUT"
	case *tcpip.ErrClosedForSend, *tcpip.ErrAborted:
		return "EPIPE"
	case *tcpip.ErrNotConnected:
		return "ENOTCONN"
	case *tcpip.ErrWouldBlock:
		return "EAGAIN"
	case *tcpip.ErrConnectStarted:
		return "EINPROGRESS"
	case *tcpip.ErrAlreadyConnected:
		return "EISCONN"
	case *tcpip.ErrAlreadyConnecting:
		return "EALREADY"
	case *tcpip.ErrConnectionAborted:
		return "ECONNABORTED"
	case *tcpip.ErrHostUnreachable:
		return "EHOSTUNREACH"
	case *tcpip.ErrNetworkUnreachable:
		return "ENETUNREACH"
	case *tcpip.ErrPortInUse:
		return "EADDRINUSE"
	case *tcpip.ErrBadLocalAddress:
		return "EADDRNOTAVAIL"
	case *tcpip.ErrInvalidEndpointState, *tcpip.ErrInvalidOptionValue:
		return "EINVAL"
	case *tcpip.ErrUnknownProtocolOption, *tcpip.ErrNotSupported:
		return "ENOPROTOOPT"
	}
	return "EIO"
}

func addressText(at tcpip.FullAddress) string {
	return net.JoinHostPort(net.IP(at.Addr).String(), strconv.Itoa(int(at.Port)))
}

func addresses(s *socket) string {
	text := ""
	if local, err := s.endpoint.GetLocalAddress(); err == nil && len(local.Addr) > 0 {
		text += fmt.Sprintf(",\"local\":%q", addressText(local))
	}
	if remote, err := s.endpoint.GetRemoteAddress(); err == nil {
		text += fmt.Sprintf(",\"remote\":%q", addressText(remote))
	}
	return text
}

func parseAddress(host, port string) tcpip.FullAddress {
	number, _ := strconv.Atoi(port)
	address := tcpip.FullAddress{NIC: nicID, Port: uint16(number)}
	ip := net.ParseIP(host)
	if ip.IsUnspecified() {
		return address
	}
	if four := ip.To4(); four != nil {
		address.Addr = tcpip.Address(four)
	} else {
		address.Addr = tcpip.Address(ip)
	}
	return address
}

func add(s *socket) int {
	table.Lock()
	defer table.Unlock()
	sockets[next] = s
	next++
	return next - 1
}

func find(fd int) *socket {
	table.Lock()
	defer table.Unlock()
	return sockets[fd]
}

// Calls f until it has a result. Waits for events in between, unless the socket does not block.
func (s *socket) block(events waiter.EventMask, f func() tcpip.Error) tcpip.Error {
	entry, ready := waiter.NewChannelEntry(events | waiter.EventHUp | waiter.EventErr)
	s.queue.EventRegister(&entry)
	defer s.queue.EventUnregister(&entry)
	for {
		err := f()
		if _, would := err.(*tcpip.ErrWouldBlock); !would || s.nonBlocking {
			return err
		}
		select {
		case <-ready:
		case <-s.ended:
			return err
		}
	}
}

func unquote(text string) ([]byte, string) {
	start := strings.IndexByte(text, '"')
	end := strings.LastIndexByte(text, '"')
	if start < 0 || end <= start {
		return nil, ""
	}
	quoted := text[start+1 : end]
	var data []byte
	for i := 0; i < len(quoted); i++ {
		if quoted[i] == '\\' && i+3 < len(quoted) {
			value, _ := strconv.ParseUint(quoted[i+2:i+4], 16, 8)
			data = append(data, byte(value))
			i += 3
		} else {
			data = append(data, quoted[i])
		}
	}
	return data, text[end+1:]
}

func quote(data []byte) string {
	var text strings.Builder
	text.WriteString(",\"data\":\"")
	for _, b := range data {
		if b >= 0x20 && b < 0x7f && b != '"' && b != '\\' {
			text.WriteByte(b)
		} else {
			fmt.Fprintf(&text, "\\u%04x", b)
		}
	}
	text.WriteString("\"")
	return text.String()
}

// ---- poll

var pollNames = []struct {
	name string
	bit  waiter.EventMask
}{
	{"IN", waiter.EventIn}, {"PRI", waiter.EventPri}, {"OUT", waiter.EventOut},
	{"ERR", waiter.EventErr}, {"HUP", waiter.EventHUp},
}

func pollMask(words string) waiter.EventMask {
	mask := waiter.EventErr | waiter.EventHUp
	for _, each := range pollNames[:3] {
		if strings.Contains(words, each.name) {
			mask |= each.bit
		}
	}
	return mask
}

func answerPoll(id string, ready waiter.EventMask) {
	var names []string
	for _, each := range pollNames {
		if ready&each.bit != 0 {
			names = append(names, each.name)
		}
	}
	if len(names) == 0 {
		answer(id, 0, nil, "")
	} else {
		answer(id, 1, nil, ",\"revents\":\""+strings.Join(names, "|")+"\"")
	}
}

func poll(id string, s *socket, mask waiter.EventMask, cancelled chan struct{}) {
	entry, ready := waiter.NewChannelEntry(mask)
	s.queue.EventRegister(&entry)
	defer s.queue.EventUnregister(&entry)
	for {
		if now := s.endpoint.Readiness(mask); now != 0 {
			answerPoll(id, now)
			return
		}
		select {
		case <-ready:
		case <-cancelled:
			answerPoll(id, s.endpoint.Readiness(mask))
			return
		case <-s.ended:
			answerPoll(id, 0)
			return
		}
	}
}

// ---- the calls

func makeSocket(id, rest string) {
	family := ipv4.ProtocolNumber
	if strings.Contains(rest, "AF_INET6") {
		family = ipv6.ProtocolNumber
	}
	queue := &waiter.Queue{}
	endpoint, err := netstack.NewEndpoint(tcp.ProtocolNumber, family, queue)
	if err != nil {
		answer(id, -1, err, "")
		return
	}
	s := &socket{endpoint: endpoint, queue: queue, family: family, ended: make(chan struct{})}
	answer(id, add(s), nil, "")
}

func connect(id string, s *socket, to tcpip.FullAddress) {
	entry, done := waiter.NewChannelEntry(waiter.WritableEvents | waiter.EventHUp | waiter.EventErr)
	s.queue.EventRegister(&entry)
	defer s.queue.EventUnregister(&entry)
	err := s.endpoint.Connect(to)
	if _, started := err.(*tcpip.ErrConnectStarted); started && !s.nonBlocking {
		select {
		case <-done:
		case <-s.ended:
		}
		err = s.endpoint.LastError()
	}
	if err != nil {
		if _, started := err.(*tcpip.ErrConnectStarted); !started {
			answer(id, -1, err, "")
			return
		}
	}
	answer(id, 0, err, addresses(s))
}

func accept(id string, s *socket) {
	var made *socket
	err := s.block(waiter.ReadableEvents, func() tcpip.Error {
		endpoint, queue, err := s.endpoint.Accept(nil)
		if err == nil {
			made = &socket{endpoint: endpoint, queue: queue, family: s.family, ended: make(chan struct{})}
		}
		return err
	})
	if err != nil {
		answer(id, -1, err, "")
		return
	}
	answer(id, add(made), nil, addresses(made))
}

func receive(id string, s *socket, rest string) {
	words := strings.Fields(rest)
	size := 0
	if len(words) > 0 {
		size, _ = strconv.Atoi(words[0])
	}
	var sink bytes.Buffer
	read := func() tcpip.Error {
		limited := tcpip.LimitedWriter{W: &sink, N: int64(size)}
		_, err := s.endpoint.Read(&limited, tcpip.ReadOptions{Peek: strings.Contains(rest, "MSG_PEEK")})
		return err
	}
	var err tcpip.Error
	if strings.Contains(rest, "MSG_DONTWAIT") {
		err = read()
	} else {
		err = s.block(waiter.ReadableEvents, read)
	}
	if _, ended := err.(*tcpip.ErrClosedForReceive); ended {
		answer(id, 0, nil, "")
		return
	}
	answer(id, sink.Len(), err, quote(sink.Bytes()))
}

func send(id string, s *socket, rest string) {
	data, flags := unquote(rest)
	source := bytes.NewReader(data)
	written := 0
	err := s.block(waiter.WritableEvents, func() tcpip.Error {
		n, err := s.endpoint.Write(source, tcpip.WriteOptions{})
		written += int(n)
		if err == nil && source.Len() > 0 && !s.nonBlocking && !strings.Contains(flags, "MSG_DONTWAIT") {
			return &tcpip.ErrWouldBlock{}
		}
		return err
	})
	if written > 0 {
		err = nil
	}
	answer(id, written, err, "")
}

func setOption(id string, s *socket, rest string) {
	words := append(strings.Fields(rest), "0", "0", "0")
	value, _ := strconv.Atoi(words[1])
	second, _ := strconv.Atoi(words[2])
	duration := time.Duration(value) * time.Second
	options := s.endpoint.SocketOptions()
	var err tcpip.Error
	switch words[0] {
	case "SO_REUSEADDR":
		options.SetReuseAddress(value != 0)
	case "SO_KEEPALIVE":
		options.SetKeepAlive(value != 0)
	case "SO_LINGER":
		options.SetLinger(tcpip.LingerOption{Enabled: value != 0, Timeout: time.Duration(second) * time.Second})
	case "SO_RCVBUF":
		options.SetReceiveBufferSize(int64(value), true)
	case "SO_SNDBUF":
		options.SetSendBufferSize(int64(value), true)
	case "TCP_NODELAY":
		options.SetDelayOption(value == 0)
	case "IPV6_V6ONLY":
		options.SetV6Only(value != 0)
	case "TCP_KEEPIDLE":
		idle := tcpip.KeepaliveIdleOption(duration)
		err = s.endpoint.SetSockOpt(&idle)
	case "TCP_KEEPINTVL":
		interval := tcpip.KeepaliveIntervalOption(duration)
		err = s.endpoint.SetSockOpt(&interval)
	case "TCP_KEEPCNT":
		err = s.endpoint.SetSockOptInt(tcpip.KeepaliveCountOption, value)
	case "TCP_USER_TIMEOUT":
		timeout := tcpip.TCPUserTimeoutOption(time.Duration(value) * time.Millisecond)
		err = s.endpoint.SetSockOpt(&timeout)
	default:
		fail(id, "ENOPROTOOPT")
		return
	}
	answer(id, 0, err, "")
}

func getOption(id string, s *socket, rest string) {
	if strings.TrimSpace(rest) != "SO_ERROR" {
		fail(id, "ENOPROTOOPT")
		return
	}
	if err := s.endpoint.LastError(); err != nil {
		answer(id, 0, nil, ",\"value\":\""+errorName(err)+"\"")
	} else {
		answer(id, 0, nil, ",\"value\":0")
	}
}

func shutdown(id string, s *socket, rest string) {
	how := tcpip.ShutdownRead | tcpip.ShutdownWrite
	switch strings.TrimSpace(rest) {
	case "SHUT_RD":
		how = tcpip.ShutdownRead
	case "SHUT_WR":
		how = tcpip.ShutdownWrite
	}
	answer(id, 0, s.endpoint.Shutdown(how), "")
}

func handle(id, call string, fd int, rest string, cancelled chan struct{}) {
	if call == "socket" {
		makeSocket(id, rest)
		return
	}
	s := find(fd)
	if s == nil {
		fail(id, "EBADF")
		return
	}
	words := append(strings.Fields(rest), "", "")
	switch call {
	case "bind":
		answer(id, 0, s.endpoint.Bind(parseAddress(words[0], words[1])), "")
	case "listen":
		backlog, _ := strconv.Atoi(words[0])
		answer(id, 0, s.endpoint.Listen(backlog), "")
	case "connect":
		connect(id, s, parseAddress(words[0], words[1]))
	case "accept":
		accept(id, s)
	case "read", "recv":
		receive(id, s, rest)
	case "write", "send":
		send(id, s, rest)
	case "poll":
		poll(id, s, pollMask(rest), cancelled)
		table.Lock()
		delete(polls, id)
		table.Unlock()
	case "shutdown":
		shutdown(id, s, rest)
	case "close":
		table.Lock()
		delete(sockets, fd)
		table.Unlock()
		close(s.ended)
		s.endpoint.Close()
		answer(id, 0, nil, "")
	case "nonblock":
		s.nonBlocking = strings.Contains(rest, "on")
		answer(id, 0, nil, "")
	case "setsockopt":
		setOption(id, s, rest)
	case "getsockopt":
		getOption(id, s, rest)
	default:
		fail(id, "ENOSYS")
	}
}

func take(line string) {
	words := strings.Fields(line)
	if len(words) < 2 {
		return
	}
	id, call := words[0], words[1]
	if call == "cancel" {
		table.Lock()
		if len(words) > 2 && polls[words[2]] != nil {
			close(polls[words[2]])
			delete(polls, words[2])
		}
		table.Unlock()
		return
	}
	rest := strings.TrimPrefix(line[strings.Index(line, call)+len(call):], " ")
	fd := -1
	if call != "socket" && len(words) > 2 {
		fd, _ = strconv.Atoi(words[2])
		rest = strings.TrimPrefix(rest, words[2])
	}
	var cancelled chan struct{}
	if call == "poll" {
		cancelled = make(chan struct{})
		table.Lock()
		polls[id] = cancelled
		table.Unlock()
	}
	go handle(id, call, fd, rest, cancelled)
}

// ---- the stack

func check(err tcpip.Error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "gvisor:", err)
		os.Exit(1)
	}
}

func addAddress(setting string, protocol tcpip.NetworkProtocolNumber) {
	ip, network, err := net.ParseCIDR(os.Getenv(setting))
	if err != nil {
		return
	}
	address := tcpip.Address(ip)
	if protocol == ipv4.ProtocolNumber {
		address = tcpip.Address(ip.To4())
	}
	length, _ := network.Mask.Size()
	check(netstack.AddProtocolAddress(nicID, tcpip.ProtocolAddress{
		Protocol:          protocol,
		AddressWithPrefix: tcpip.AddressWithPrefix{Address: address, PrefixLen: length},
	}, stack.AddressProperties{}))
}

func gateway(setting string) tcpip.Address {
	ip := net.ParseIP(os.Getenv(setting))
	if four := ip.To4(); four != nil {
		return tcpip.Address(four)
	}
	return tcpip.Address(ip)
}

// The settings that gVisor's sentry makes (runsc/boot/loader.go).
func likeRunsc() {
	sack := tcpip.TCPSACKEnabled(true)
	netstack.SetTransportProtocolOption(tcp.ProtocolNumber, &sack)
	nagle := tcpip.TCPDelayEnabled(true)
	netstack.SetTransportProtocolOption(tcp.ProtocolNumber, &nagle)
	moderate := tcpip.TCPModerateReceiveBufferOption(true)
	netstack.SetTransportProtocolOption(tcp.ProtocolNumber, &moderate)
}

func start() {
	netstack = stack.New(stack.Options{
		Clock: openLabClock(),
		NetworkProtocols: []stack.NetworkProtocolFactory{
			ipv4.NewProtocol, ipv6.NewProtocol, arp.NewProtocol},
		TransportProtocols: []stack.TransportProtocolFactory{
			tcp.NewProtocol, icmp.NewProtocol4, icmp.NewProtocol6},
		HandleLocal: true,
	})
	likeRunsc()
	mac, err := net.ParseMAC(os.Getenv("TCPLAB_MAC"))
	if err != nil {
		fmt.Fprintln(os.Stderr, "gvisor: TCPLAB_MAC:", err)
		os.Exit(1)
	}
	mtu, _ := strconv.Atoi(os.Getenv("TCPLAB_MTU"))
	link, err := fdbased.New(&fdbased.Options{
		FDs: []int{3}, MTU: uint32(mtu), EthernetHeader: true, Address: tcpip.LinkAddress(mac),
		PacketDispatchMode: fdbased.Readv, ClosedFunc: func(tcpip.Error) { os.Exit(0) },
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, "gvisor:", err)
		os.Exit(1)
	}
	check(netstack.CreateNIC(nicID, link))
	addAddress("TCPLAB_IPV4", ipv4.ProtocolNumber)
	addAddress("TCPLAB_IPV6", ipv6.ProtocolNumber)
	netstack.SetRouteTable([]tcpip.Route{
		{Destination: header.IPv4EmptySubnet, Gateway: gateway("TCPLAB_GATEWAY4"), NIC: nicID},
		{Destination: header.IPv6EmptySubnet, Gateway: gateway("TCPLAB_GATEWAY6"), NIC: nicID},
	})
}

func main() {
	start()
	fmt.Println("{\"ready\":\"calls\"}")
	syscall.SetNonblock(0, true) // see pollable() in lab_clock.go
	lines := bufio.NewScanner(os.NewFile(0, "requests"))
	lines.Buffer(make([]byte, 65536), 16<<20)
	for lines.Scan() {
		take(lines.Text())
	}
}
