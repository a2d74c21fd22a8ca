-- A proxy on the host of a client, which curl asks for a page. curl itself waits without end, so
-- what it sees is what the proxy decides.
local http = include "http.lib.lua"
local proxy = {}

-- Returns the audit. `plan` has its title and needs; `start` is a function of the client's host.
function proxy.audit(plan, start)
  plan.prepare = function(cell)
    start(cell.client_host)
    cell.lab:expect(cell.client_host):within(20):listens(8080)
  end
  plan.client = { "curl", "-sS", "--fail", "http://localhost:8080/page" }
  plan.start_client = function(cell)
    return cell.client_host:run { name = "client", table.unpack(plan.client) }
  end
  return http.audit(plan)
end

return proxy
