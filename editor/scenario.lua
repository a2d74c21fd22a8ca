---@meta
-- Scenarios, options and words, as annotations for the Lua language server. With them, an editor
-- completes and checks a scenario: { "workspace.library": ["editor"] } in .luarc.json.
-- docs/scenarios.md is the reference. Made by tools/editor-stubs; do not edit.

---What a scenario file returns.
---@class Scenario
---@field title string the title in reports
---@field asks string the question
---@field run fun(lab: lab, case?: scenario_case) the experiment
---@field source? string where the question comes from
---@field article? string what the article observed
---@field here? string what Linux does
---@field why? string the explanation, with its sources
---@field tags? string[] words that select the scenario
---@field families? (4|6)[] the IP versions that it runs on; both by default
---@field needs? string[] "root", "tracepoints", "kernel 6.15", "program nft", "sysctl net.NAME"
---@field since? kernel_version its expectations hold on this version of Linux and newer ones
---@field quiz? quiz what `tcplab quiz` asks
---@field requires? requirement the requirement on a TCP stack that `tcplab conform` tests
---@field cases? scenario_case[] a run for each; `run` gets its table after the lab

---One case of a scenario. Other fields are parameters.
---@class scenario_case
---@field name string one word; the scenario is called SCENARIO-NAME
---@field title? string instead of the scenario's, as the next fields
---@field asks? string
---@field source? string
---@field article? string
---@field here? string
---@field why? string
---@field since? kernel_version
---@field [string] any

---@class quiz
---@field asks? string the question; that of the scenario by default
---@field [integer] quiz_choice

---One answer of a quiz. Exactly one is right; the reader sees them shuffled.
---@class quiz_choice
---@field [1] string
---@field right? boolean
---@field because? string why it is wrong, or what to add to the right answer

---A requirement on a TCP stack.
---@class requirement
---@field id string "MUST-58" of RFC 9293, or "RFC5961-3.2-a"
---@field level "MUST"|"SHOULD"|"MAY"|"behaviour" how much the RFC demands it
---@field rfc string the RFC and its section
---@field says string what the RFC says, in other words
---@field met string what counts as met

---The event that met an expectation: the fields of docs/events.md, with times in seconds since the
---run began.
---@class event
---@field t number
---@field [string] any

---@class host_options
---@field neighbours? neighbour_entries link addresses: fixed (by default), or found by ARP or ND
---@field congestion? string the congestion control: "reno"; "cubic" by default
---@field sysctls? table<string, string|number>
---@field etc_hosts? boolean false: the names of other hosts come only from lab:dns
---@field offload? boolean NICs with checksum and segmentation offload; false by default
---@field peer? string|string[] hosts without a kernel, whose segments the script sends

---@class link_options
---@field mtu? integer the MTU of every NIC on the link; 1500 by default
---@field hidden? boolean other links have no route to it, as to a network behind a NAT

---@class network_options: host_options
---@field links table<string, link_options>
---@field hosts table<string, string[]> the links of each host, for eth0, eth1, ...

---@class connect_options
---@field client? (string|number)[] options of the client: { "--keepalive", "5/3/3" }
---@field server? (string|number)[] options of the server
---@field port? integer 8080 by default

---@class connected_options: host_options
---@field client? (string|number)[] options of the client: { "--keepalive", "5/3/3" }
---@field server? (string|number)[] options of the server
---@field port? integer 8080 by default

---@class fault_options: packet_fields
---@field name? string a name, for lab:remove and for the reader
---@field count? integer acts on at most this many frames; all by default
---@field skip? integer lets this many frames pass first
---@field nth? integer acts on the n-th frame only
---@field every? integer acts on every n-th frame
---@field probability? number acts on each frame with this probability, from 0 to 1
---@field seed? integer seeds probability and jitter; drawn by default

---@class delay_options: fault_options
---@field by number seconds
---@field jitter? number seconds, at most this much more or less

---@class limit_options: fault_options
---@field rate number bits per second
---@field queue? integer the most frames that may wait; 100 by default

---@class duplicate_options: fault_options
---@field copies? integer 1 by default
---@field after? number seconds between a frame and its copy; 0 by default

---@class reorder_options: fault_options
---@field behind? integer how many later frames go first; 1 by default

---@class corrupt_options: fault_options
---@field offset? integer a byte, as in tcp[offset]; by default the first byte of the data
---@field bits? integer a mask of the bits to flip; 1 by default
---@field value? integer the new value of the byte, instead of flipping bits
---@field checksum? checksum_kind "wrong" by default

---@class truncate_options: fault_options
---@field to integer bytes of the IP packet that arrive
---@field checksum? checksum_kind the checksum and the length; "wrong" by default

---@class mtu_options: fault_options
---@field mtu integer the longest IP packet that passes, in bytes

---@class forge_options
---@field to host
---@field from host|ip_address a host or any address
---@field source_port integer
---@field port integer
---@field flags tcp_flags letters of F, S, R, P, A, U, E, W
---@field seq? integer the value in the header; 0 by default
---@field ack? integer
---@field window? integer
---@field data? string
---@field options? tcp_options
---@field faults? boolean false: no fault acts on it

---@class icmp_options
---@field error icmp_error
---@field about connection|event
---@field from? host|ip_address for example a router; by default the destination of the packet
---@field to? host by default the sender of the packet
---@field mtu? integer for "fragmentation-needed"
---@field seq? integer of the quoted segment; by default the oldest unacknowledged one
---@field faults? boolean false: no fault acts on it

---The TCP options of a forged segment.
---@class tcp_options
---@field mss? integer bytes
---@field window_scale? integer the shift count
---@field sack_permitted? boolean
---@field sack? integer[][] blocks: { first, next }
---@field timestamps? table|boolean { value = n, echo = n }, true for the usual ones, false for none
---@field fast_open? string the bytes of the cookie; "" asks for one
---@field raw? string bytes after the options above

---The fields of a segment. Sequence numbers are relative to the initial ones, unless they are
---`absolute`.
---@class segment_fields
---@field seq? integer by default, the next in order
---@field ack? integer by default, what the receiver expects to be acknowledged
---@field window? integer the value in the header, not scaled; the peer's last by default
---@field urgent? integer the urgent pointer in the header; 0 by default
---@field checksum? integer in the header; the right one by default
---@field fragment_size? integer sends it in IP fragments of this size: bytes, a multiple of 8
---@field age? number seconds by which its timestamp is older than the peer's latest
---@field absolute? boolean true: `seq`, `ack` and `sack` are the numbers in the header
---@field options? tcp_options

---The fields of a forged segment.
---@class segment_options: segment_fields
---@field faults? boolean false: no fault acts on it

---@class any_segment_options: segment_options
---@field flags tcp_flags letters of F, S, R, P, A, U, E, W
---@field data? string

---What a segment must have. Sequence numbers are relative to the initial ones, as in the ladder.
---@class packet_fields
---@field seq? integer
---@field ack? integer
---@field window? integer the value in the header, not scaled
---@field length? integer bytes of data

---@class packet_options: packet_fields
---@field fate? "delivered"|"lost"|"held"|"delayed"|"forged"
---@field within? number seconds
---@field since? kernel_version not checked if the hosts' kernel is older

---@class check_options
---@field since? kernel_version not checked if the hosts' kernel is older

---@class time_options: check_options
---@field tolerance? number seconds; by default that of the kernel's timers, 12.5 % and 4 ms

---The conditions of lab:first, each with a name or in a list, and how long to wait.
---@class first_conditions
---@field within? number seconds; 5 by default
---@field [string] condition
---@field [integer] condition

---@class when_options
---@field times? integer how often the function runs; 1 by default
---@field bytes? integer the function runs once, when packets have carried that much data
---@field optional? boolean the run passes even if the condition is never met

---@class run_options
---@field watch? boolean false: do not record its calls; needed for strace and debuggers
---@field as? string the user of this machine whose uid and groups it gets
---@field env? table<string, string|number> variables to add to its environment
---@field cwd? string its working folder; tcplab's by default
---@field name? string on the timeline; its file name by default
---@field limits? table<string, integer> getrlimit(2): as, core, cpu, nofile, nproc, ...
---@field tty? boolean true: gives it a terminal instead of pipes
---@field stack? string|string[] which failing calls have their stack: an errno, or any
---@field abort_on? string|string[] aborts it at such a failing call: an errno, or any
---@field probes? string|string[] USDT probes that become events: PROVIDER:NAME
---@field inject? first_injection|first_injection[] changes its calls, from the first one on
---@field capabilities? string[] more than those of a server; CAP_NET_ADMIN only
---@field user_namespaces? boolean true: lets it make user namespaces

---A command as a list, with its options.
---@class run_command: run_options
---@field [integer] string|number|host its words

---@class crash_options
---@field boot_time? number seconds; 0.5 by default

---@class reach_options
---@field only? "main" the process that the host started; by default, all that it started, too

---@class file_options
---@field mode? string octal digits, "0600"; "0644" by default
---@field owner? string a user of this machine. By default, who runs programs

---@class disk_options
---@field from? string the folder of this machine that is copied; empty by default
---@field mode? string of the disk's top folder, octal digits; "0755" by default
---@field owner? string of all its files, a user of this machine

---A command as a list, with its options, and when it is ready.
---@class service_command: run_command
---@field ready ready_when the verb returns then
---@field stop? signal_name the signal that stops it; SIGTERM by default

---When a service is ready: one of port, prints and run.
---@class ready_when
---@field port? integer a socket on the host listens on this port
---@field prints? string it writes this, on standard output or standard error
---@field run? run_command this program exits with 0; it is started until it does
---@field within? number seconds; 10 by default

---@class dns_options
---@field [string] host|string|(host|string)[]|integer a name, and what it resolves to
---@field on? host the host of the resolver; by default, the last one that the run has made
---@field ttl? integer seconds for which an answer may be kept; 60 by default

---@class injection_rule
---@field errno? errno_name the call fails with this errno, and never reaches the kernel
---@field bytes? integer the call moves at most this many bytes: a short read or write
---@field delay? number seconds until the call reaches the kernel
---@field nth? integer acts on the n-th matching call from now on; 1 by default
---@field times? integer acts on this many calls; 1 by default
---@field state? tcp_state calls on a connection in this state only
---@field after_bytes? integer once the socket has received (or sent) at least this many
---@field optional? boolean true: the run passes even if the rule never acts

---@class injection_options: injection_rule
---@field on? connection calls on this connection only

---A rule that is in force from the first call of a program on.
---@class first_injection: injection_rule
---@field call injected_call the name or the family of the calls

---A mark of an audit on the timeline.
---@class audit_note
---@field step audit_step
---@field failure? string its name; absent in the baseline
---@field failure_title? string
---@field moment? string
---@field moment_title? string
---@field side? string where it fails: client, server or path
---@field lasts? number seconds after which the failure ends
---@field limit? number seconds that the client may take
---@field client? string the host that the request comes from
---@field server? string the host that answers
---@field program? string the client's program
---@field outcome? audit_outcome
---@field text? string what the user saw
---@field reaction? audit_reaction to the command of --after

---@class peer_end_options
---@field port integer
---@field iss? integer its initial sequence number, as in the header

---@class peer_open_options: peer_end_options
---@field source_port? integer from 40000 up by default

---@class handshake_options: peer_end_options
---@field window? integer the value in the header, not scaled; 65535 by default
---@field options? tcp_options of its SYN; by default the MSS that fits the MTU
---@field within? number seconds; 5 by default

---@class peer_connect_options: handshake_options
---@field source_port? integer from 40000 up by default

---@class syn_options: peer_end_options
---@field within? number seconds; 5 by default

---The fields of a segment that a peer sends. A segment without `seq` begins where the last one
---without `seq` ended.
---@class peer_segment_options: segment_fields

---@class any_peer_segment_options: peer_segment_options
---@field flags tcp_flags letters of F, S, R, P, A, U, E, W
---@field data? string

---The next segment that the host sends to the peer.
---@class expected_segment: packet_fields
---@field flags? tcp_flags exactly these; P may be set or not unless it is named
---@field data? string
---@field urgent? integer the urgent pointer
---@field options? expected_tcp_options
---@field absolute? boolean true: `seq`, `ack` and `sack` are the numbers in the header
---@field skip? boolean true: other segments may come first
---@field within? number seconds; 5 by default

---The TCP options that an expected segment must have.
---@class expected_tcp_options
---@field mss? integer bytes
---@field window_scale? integer the shift count
---@field sack_permitted? boolean whether it has the option
---@field timestamps? boolean whether it has the option
---@field sack? integer[][]|boolean blocks: { first, next }; false for none

---@alias kernel_version
---| "6.5" | string

---@alias neighbour_entries
---| "static" | "dynamic"

---@alias timer_name
---| "r2" | "r2_limit" | "r1" | "tail_loss_probe" | "first_retransmission" | "orphan_r2"
---| "user_timeout" | "syn_r2" | "synack_r2" | "initial_rto" | "rto_min" | "neighbour_failure"
---| "keepalive_timeout" | "fin_timeout" | "time_wait" | "time_wait_reuse" | "delayed_ack"

---@alias direction
---| string

---@alias direction_or_link
---| string

---@alias packet_selection
---| "SYN" | "SYN ACK" | "ACK only" | "FIN" | "RST" | "RST ACK" | "RST only" | "URG" | "data"
---| "zero window" | "window update" | "window probe" | "keepalive probe" | "retransmission"
---| "duplicate ACK" | "ICMP error" | string

---@alias checksum_kind
---| "wrong" | "fixed"

---@alias icmp_error
---| "host-unreachable" | "net-unreachable" | "port-unreachable" | "protocol-unreachable"
---| "admin-prohibited" | "fragmentation-needed" | "time-exceeded" | "parameter-problem" | string

---@alias tcp_flags
---| string

---@alias ip_address
---| string

---@alias signal_name
---| "SIGINT" | "SIGKILL" | "SIGPIPE" | "SIGSTOP" | "SIGTERM" | "SIGUSR1" | string

---@alias tcp_state
---| "SYN_SENT" | "SYN_RECV" | "ESTABLISHED" | "FIN_WAIT1" | "FIN_WAIT2" | "TIME_WAIT"
---| "CLOSE_WAIT" | "LAST_ACK" | "CLOSING" | "LISTEN" | "CLOSED"

---@alias tcp_timer
---| "retransmit" | "persist" | "keepalive" | "time-wait"

---@alias call_name
---| "accept" | "accept4" | "bind" | "capset" | "close" | "connect" | "dup" | "dup2" | "dup3"
---| "epoll_ctl" | "epoll_pwait" | "epoll_pwait2" | "epoll_wait" | "fcntl" | "fork" | "getsockopt"
---| "ioctl" | "kill" | "listen" | "pipe2" | "poll" | "ppoll" | "preadv2" | "pselect6"
---| "pwritev2" | "read" | "readv" | "recv" | "recvfrom" | "recvmmsg" | "recvmsg" | "select"
---| "send" | "sendfile" | "sendmmsg" | "sendmsg" | "sendto" | "setrlimit" | "setsockopt"
---| "shutdown" | "socket" | "socketpair" | "splice" | "write" | "writev"

---@alias errno_name
---| "EAGAIN" | "ECONNREFUSED" | "ECONNRESET" | "EHOSTUNREACH" | "EINPROGRESS" | "EINTR"
---| "ENETUNREACH" | "ENOBUFS" | "ENOTCONN" | "EPIPE" | "ETIMEDOUT" | string

---@alias kernel_event
---| "drop" | "reset" | "reset_received" | "error" | "retransmit" | "retransmit_synack"
---| "bad_checksum"

---@alias injected_call
---| "accept" | "accept4" | "bind" | "connect" | "epoll_pwait" | "epoll_pwait2" | "epoll_wait"
---| "getsockopt" | "listen" | "poll" | "ppoll" | "preadv2" | "pselect6" | "pwritev2" | "read"
---| "readv" | "recv" | "recvfrom" | "recvmmsg" | "recvmsg" | "select" | "send" | "sendfile"
---| "sendmmsg" | "sendmsg" | "sendto" | "setsockopt" | "shutdown" | "socket" | "splice" | "write"
---| "writev"

---@alias audit_step
---| "begins" | "starting" | "moment" | "failure" | "failure_ends" | "after" | "judged"

---@alias audit_outcome
---| "unaffected" | "recovered" | "error" | "wrong_data" | "hangs" | "not_reached"

---@alias audit_reaction
---| "printed" | "printed_error" | "sent" | "none" | "command_failed" | "client_ended"
---| "always_active"
