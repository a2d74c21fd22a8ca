-- gRPC in Python as it is. Two calls on one channel, with a pause between them.
-- Packages: python3-grpcio
local audit = include "tcplab/audit/audit.lib.lua"
local SERVER_TEXT = [[
import concurrent.futures, grpc, time
def answer(request, context):
    time.sleep(0.3 if request == b"slow" else 0)
    return b"x" * 65536
class Handler(grpc.GenericRpcHandler):
    def service(self, details):
        return grpc.unary_unary_rpc_method_handler(answer)
server = grpc.server(concurrent.futures.ThreadPoolExecutor(4), handlers=(Handler(),))
server.add_insecure_port("[::]:50051")
server.start()
server.wait_for_termination()
]]
local CLIENT = [[
import grpc, time
call = grpc.insecure_channel("SERVER:50051").unary_unary("/s/m")
print(len(call(b"slow")), flush=True)
time.sleep(1)
print(len(call(b"quick")), flush=True)
]]

return audit {
  title = "gRPC in Python",
  needs = { "program /usr/bin/python3" },
  server = { "/usr/bin/python3", "-c", SERVER_TEXT, name = "server" },
  port = 50051,
  client = { "/usr/bin/python3", "-c", CLIENT },
}
