-- A program that gets its user, environment, folder, name and limits from the script.
return {
  title = "A program as its users run it",
  asks = "Does a program find the user, environment, folder and limits that it is given?",
  tags = { "trust" },
  needs = { "root", "program env" },
  run = function(lab)
    local kang, kodos = lab:pair()
    local shell = kang:run {
      "sh", "-c", "echo $(id -un) $GREETING $HOME $(pwd) $(ulimit -n) $1; exit 7", "sh", kodos,
      as = "nobody", env = { GREETING = "hello", HOME = "/run" }, cwd = "/usr",
      name = "greeter", limits = { nofile = 64 },
    }
    lab:expect(shell):prints "nobody hello /run /usr 64 kodos\n"
    lab:expect(shell):exits(7)
    lab:check(shell:output("stderr") == "", "it complains about nothing", shell:output("stderr"))

    local server = kang:at_boot { "sleep", 1000, name = "server", env = { A = 1 } }
    lab:expect(server):sleeps()
    kang:power_cycle()
    local look = kang:run("sh", "-c", "cat /proc/*/environ | tr '\\0' '\\n' | grep -x A=1")
    lab:expect(look):exits(0)
  end,
}
