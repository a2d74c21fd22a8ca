return {
  title = "A connection that is refused",
  asks = "How long does lab:connect wait for it?",
  tags = { "trust" },
  run = function(lab)
    local kang, kodos = lab:pair()
    kodos:nft [[
      table inet filter {
        chain in {
          type filter hook input priority filter
          tcp flags syn reject with tcp reset
        }
      }
    ]]
    lab:connect(kang, kodos)
  end,
}
