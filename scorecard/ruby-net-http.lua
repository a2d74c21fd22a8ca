-- Ruby's Net::HTTP as it is: 60 s for connecting and for each read, and a GET is tried twice.
-- Packages: ruby
local http = include "servers/http.lib.lua"
local CLIENT = [[
require "net/http"
STDOUT.sync = true
Net::HTTP.start("SERVER", 80) do |http|
  [1, 0].each do |pause|
    puts http.get("/page").body.size
    sleep pause
  end
end
]]

return http.audit {
  title = "Ruby Net::HTTP",
  needs = { "program ruby" },
  client = { "ruby", "-e", CLIENT },
}
