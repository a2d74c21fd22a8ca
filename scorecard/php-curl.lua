-- PHP's curl functions as they are. Two requests on one connection, with a pause between them.
-- Packages: php-cli, php-curl
local http = include "servers/http.lib.lua"
local CLIENT = [[
$curl = curl_init("http://SERVER/page");
curl_setopt($curl, CURLOPT_RETURNTRANSFER, true);
foreach ([1, 0] as $pause) {
  $answer = curl_exec($curl);
  if ($answer === false) { fwrite(STDERR, curl_error($curl) . "\n"); exit(1); }
  echo strlen($answer), "\n";
  sleep($pause);
}
]]

return http.audit {
  title = "PHP curl",
  needs = { "program php" },
  client = { "php", "-r", CLIENT },
}
