-- PHP's streams as they are: default_socket_timeout is 60 s.
-- Packages: php-cli
local http = include "servers/http.lib.lua"
local CLIENT = [[
$answer = file_get_contents("http://SERVER/page");
if ($answer === false) exit(1);
echo strlen($answer), "\n";
]]

return http.audit {
  title = "PHP file_get_contents",
  needs = { "program php" },
  client = { "php", "-r", CLIENT },
}
