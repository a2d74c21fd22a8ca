# bash completion of dnc(1).

_dnc() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} words=''
  COMPREPLY=()

  case $previous in
    --on-eof | --on-stdin-eof) words='keep shutdown close' ;;
    --on-error) words='exit keep' ;;
    --log-format) words='text truss json' ;;
    --abort-on | --stop-on)
      words='EAGAIN ECONNABORTED ECONNREFUSED ECONNRESET EHOSTUNREACH EINPROGRESS EINTR ENETUNREACH
             ENOTCONN EPIPE ETIMEDOUT'
      ;;
    --log-file)
      mapfile -t COMPREPLY < <(compgen -f -- "$current")
      return
      ;;
    -p | --port | -w | --timeout | --connect-timeout | -q | -b | --read-size | --backlog | -O | \
      --sndbuf | -I | --rcvbuf | --linger | --keepalive | --user-timeout | --events | --stack)
      return
      ;;
    -s | --source | --bind)
      mapfile -t COMPREPLY < <(compgen -A hostname -- "$current")
      return
      ;;
  esac
  if [[ ! $words && $current == -* ]]; then
    # Read the options from --help, so that there is no second list to keep up to date. The pattern
    # leaves nothing that compgen -W would expand.
    words=$("$1" --help 2>/dev/null | grep -oE -- '(^| |,)--?[a-zA-Z0-9][a-z0-9-]*' | tr -d ' ,')
  fi
  if [[ $words ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
  else
    mapfile -t COMPREPLY < <(compgen -A hostname -- "$current")
  fi
}

complete -F _dnc dnc
