-- Files that a script writes: their content, folders, permissions, and what a program's links do.
return {
  title = "Files of a host",
  asks = "Does a program find the files that the script writes, and nobody else?",
  tags = { "trust" },
  needs = { "program sh", "program stat" },
  run = function(lab)
    local kang, kodos = lab:pair()
    local function prints(host, command, text)
      local shell = host:run("sh", "-c", command, { watch = false })
      lab:expect(shell):exits()
      lab:check(shell:output() == text, command .. " prints " .. text, shell:output())
    end

    kang:file("/tmp/plain", "hello\0world\n")
    prints(kang, "tr '\\0' , < /tmp/plain; stat -c %a /tmp/plain", "hello,world\n644\n")
    prints(kodos, "test -e /tmp/plain || echo none", "none\n")
    kang:file("/run/app/conf.d/main", "first\n", { mode = "0600" })
    prints(kang, "stat -c '%a %u' /run/app /run/app/conf.d/main", "755 0\n600 0\n")
    for _, folder in ipairs { "/var/tmp", "/dev/shm" } do kang:file(folder .. "/a", "here") end
    prints(kang, "cat /var/tmp/a /dev/shm/a", "herehere")
    kang:file("/tmp/large", ("x"):rep(1 << 20))
    prints(kang, "wc -c < /tmp/large", "1048576\n")

    -- A program that reads the earlier file reads it to its end.
    local old = kang:run("sh", "-c", "exec 4< /run/app/conf.d/main; echo open; read go; cat <&4")
    lab:expect(old):prints "open"
    kang:file("/run/app/conf.d/main", "second\n")
    prints(kang, "cat /run/app/conf.d/main; stat -c %a /run/app/conf.d/main", "second\n644\n")
    prints(kang, "ls -A /run/app/conf.d", "main\n")
    old:type "go\n"
    lab:expect(old):prints "first\n"

    -- A link in place of the file is replaced, not followed.
    prints(kang, "echo old > /tmp/target; ln -s /tmp/target /tmp/link", "")
    kang:file("/tmp/link", "new\n")
    prints(kang, "cat /tmp/target /tmp/link", "old\nnew\n")

    kang:power_cycle()
    prints(kang, "ls -A /run; test -e /tmp/plain || echo gone", "gone\n")
  end,
}
