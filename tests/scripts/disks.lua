-- What a disk keeps, and who sees it.
return {
  title = "Disks of hosts",
  asks = "Which files survive, and whose are they?",
  tags = { "test" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local function expect(host, command, answer)
      lab:expect(host:run("sh", "-c", command .. " 2>&1")):within(20):prints(answer)
    end
    kang:disk("/tmp/deep/disk", { mode = "0750" }):disk("/usr/share", { from = "@TEMPLATE@" })
    expect(kang, "stat -c %a /tmp/deep/disk", "750")
    expect(kang, "cd /usr/share; cat folder/file; readlink link; stat -c %a folder",
      "from the template\nfolder/file\n700")
    expect(kang, "echo mine > /tmp/deep/disk/file; echo new > /usr/share/folder/file; echo ok",
      "ok")
    expect(kodos, "ls /tmp/deep/disk", "No such file")

    kang:power_cycle()
    expect(kang, "cat /tmp/deep/disk/file /usr/share/folder/file", "mine\nnew")
    kang:crash { boot_time = 0.1 }
    lab:wait(0.3)
    kodos:power_cycle()
    expect(kang, "cat /tmp/deep/disk/file /usr/share/folder/file", "mine\nnew")
    expect(kodos, "ls /tmp/deep/disk", "No such file")
    -- Where the run has the disks.
    expect(kodos, "ls -d runs/disks-ipv*/disks/*", "No such file")
  end,
}
