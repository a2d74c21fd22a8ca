return {
  name = "syn-sent",
  title = "SYN sent",
  watch = function(cell, act)
    return cell.lab:when(cell.lab:packet("client > *", "SYN"), act, { optional = true })
  end,
}
