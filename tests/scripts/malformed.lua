-- A program on a host writes malformed frames onto the wire. The lab must describe each frame and
-- continue. The program is Python, and uses a packet socket (packet(7)).
local kGarbage = [[
import random, socket, struct, sys
wire = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
wire.bind(("eth0", 0))
ethernet = bytes.fromhex("020000000002 020000000001".replace(" ", ""))
def send(kind, payload):
    wire.send(ethernet + struct.pack(">H", kind) + payload)
def ipv4(payload, total=None, version=0x45, protocol=6):
    return struct.pack(">BBHHHBBH4s4s", version, 0, 20 + len(payload) if total is None else total,
                       1, 0, 64, protocol, 0, bytes([10, 0, 0, 1]), bytes([10, 0, 0, 2])) + payload
def tcp(offset, options=b""):
    return struct.pack(">HHIIBBHHH", 1, 2, 3, 4, offset << 4, 0x10, 5, 0, 0) + options
send(0x0800, b"")
send(0x0800, b"\x45\x00")
send(0x0800, ipv4(b"", total=60, version=0x4f))
send(0x0800, ipv4(b"", version=0x41))
send(0x0800, ipv4(b"", version=0x65))
send(0x0800, ipv4(b"", total=9))
send(0x0800, ipv4(b"x" * 30, total=1400))
send(0x0800, ipv4(b"\x00\x01"))
send(0x0800, ipv4(tcp(1)))
send(0x0800, ipv4(tcp(15)))
send(0x0800, ipv4(tcp(6, b"\x02\x00\x00\x00")))
send(0x0800, ipv4(b"\x00", protocol=17))
send(0x0800, ipv4(b"\x03", protocol=1))
send(0x0806, b"\x00\x01\x08")
send(0x86dd, b"\x60" + bytes(9))
send(0x86dd, b"\x60" + bytes(5) + b"\x00\x40" + bytes(32))
send(0x8100, b"\x00")
send(0x0000, b"")
sys.stdin.readline()  # what follows is a flood, whose frames are counted and not listed
dice = random.Random(1)
for length in range(0, 1500, 5):
    send(dice.choice([0x0800, 0x86dd, 0x0806, 0x8100, 0x88cc]), dice.randbytes(length))
for length in range(0, 1400, 7):
    send(0x0800, ipv4(dice.randbytes(length), protocol=dice.choice([1, 6, 17])))
]]

return {
  title = "Malformed frames on the wire",
  asks = "Does the lab continue after malformed frames?",
  tags = { "trust" },
  needs = { "program python3" },
  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("-l", 8080)
    local client = kang:dnc(kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    local program = kang:run("python3", "-c", kGarbage)
    lab:expect_packet("kang > kodos", "ether[12:2] = 0x8100")
    program:type "\n"
    lab:expect(program):exits(0)
    client:type "still there?\n"
    lab:expect(server):call("read"):returns(13)
    lab:expect(client):still_in_state "ESTABLISHED"
  end,
}
