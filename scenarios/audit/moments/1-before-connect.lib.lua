return {
  name = "before-connect",
  title = "before connect",
  is_before_client = true,
}
