-- Starts hosts on one link. bench/lab_figures.py inserts their number.
return {
  title = "Hosts",
  asks = "How long does it take to start many hosts?",
  families = { 4 },

  run = function(lab)
    local names = {}
    for i = 1, @HOSTS@ do names[i] = "h" .. i end
    lab:hosts(names)
    lab:say("up after " .. lab:now() .. " s")
  end,
}
