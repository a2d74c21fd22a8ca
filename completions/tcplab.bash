# bash completion of tcplab(1), and of ./tcplab in a clone.

# Prints the words that select a scenario. In a clone it uses the program that the wrapper built. If
# there is none, it prints nothing: a key press must not start a build.
_tcplab_names() {
  local program=$1 folder=${1%/*}
  if [[ -e $folder/cmake/rooms.cmake ]]; then
    program=${TCPLAB_BUILD:-$folder/build}/bin/tcplab
    [[ -x $program ]] || return
  fi
  "$program" list --names 2>/dev/null
}

# Prints the words of standard input, one a line, that begin with $1. compgen -W would expand the
# words as the shell does: a tag "$(reboot)" would run.
_tcplab_starting() {
  local word
  while IFS= read -r word; do
    [[ $word == "$1"* ]] && printf '%s\n' "$word"
  done
}

_tcplab_files() {  # ENDING START: prints folders, and files with this ending
  compgen -d -- "$2"
  compgen -f -X "!*.$1" -- "$2"
}

_tcplab() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
  local command=${COMP_WORDS[1]} words=''
  COMPREPLY=()

  if ((COMP_CWORD == 1)); then
    words='list explain run audit matrix conform merge check show diff coverage report site quiz shell session look trace kernels stacks doctor --help --version'
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
    return
  fi
  case $previous in
    --format) words='text truss json' ;;
    --timers) words='fast stock' ;;
    --family) words='4 6 both' ;;
    --clock) words='virtual real' ;;
    --kernel) words='this 6.1 6.12' ;;
    --stack) words='kang=lwip kodos=lwip kang=gvisor kodos=gvisor kang=slirp kodos=slirp' ;;
    --jobs | -j | --timeout | --repeat | --shard | --seed | --max-fail | --most) return ;;
    --limit) words='events= output= faults= programs= memory= disks= seconds= processes= program-memory=' ;;
    --nic) words='kang kodos' ;;
    --tag | --topic | --slides)
      mapfile -t COMPREPLY < <(_tcplab_names "${COMP_WORDS[0]}" | _tcplab_starting "$current")
      return
      ;;
    --out | --html | --from | --requirements) mapfile -t COMPREPLY < <(compgen -d -- "$current") && return ;;
    --junit | --tap | --markdown | --pcapng | --results | --folded | --flame | --record) mapfile -t COMPREPLY < <(compgen -f -- "$current") && return ;;
  esac
  if [[ $words ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
    return
  fi

  case $command:$current in
    run:-*)
      words='--topic --tag --family --timers --repeat --jobs --timeout --limit --set --shard --shuffle --seed --perturb --fail-fast
        --max-fail --out --html --pcapng --nic --junit --tap --markdown --results --json --github --no-github --live --step --tracepoints --trust --kernel --clock --stack --boot
        --verbose --help'
      ;;
    audit:-*)
      words='--server --port --type --after --init --limit --baseline --failure --moment --timers --kernel --family --jobs --apply --trust
        --compare --ready --notice-within --recover-within --no-repeat --junit --markdown --json --html --out --help'
      ;;
    matrix:-*) words='--kernel --family --timers --jobs --repeat --all --markdown --json --html --out --help' ;;
    conform:-*)
      words='--only --except --list --family --requirements --against --jobs --boot --json --markdown --junit --html --out --help'
      ;;
    merge:-*) words='--junit --tap --markdown --results --json --github --no-github --help' ;;
    list:-*) words='--names --json --help' ;;
    show:-*) words='--latency --svg --mermaid --perfetto --verbose --json --help' ;;
    coverage:-*) words='--json --markdown --strict --help' ;;
    report:-*) words='--html --help' ;;
    site:-*) words='--from --url --slides --help' ;;
    quiz:-*) words='--family --timers --seed --most --out --help' ;;
    shell:-*) words='--family --timers --hosts --kernel --stack --boot --load --out --help' ;;
    session:-*) words='--family --timers --kernel --stack --boot --trust --need --set --limit --name --title --out --html --help' ;;
    explain:-*) words='--connection --most --html --json --help' ;;
    look:-*) words='--all --json --watch --record --help' ;;
    trace:-*) words='--format --out --summary --latency --quiet --stack --waits --folded --flame --probe --probes --abort-on --stop-on --io-uring --pid --help' ;;
    check:-* | diff:-* | kernels:-* | stacks:-* | doctor:-*) words='--json --help' ;;
    conform:*) words='linux lwip gvisor slirp' ;;
    stacks:*)
      if ((COMP_CWORD == 2)); then words=build; else words='lwip gvisor slirp'; fi
      ;;
    kernels:*)
      if ((COMP_CWORD == 2)); then words=build; else mapfile -t COMPREPLY < <(compgen -f -- "$current"); fi
      ;;
    show:* | diff:* | coverage:* | report:*)
      mapfile -t COMPREPLY < <(_tcplab_files jsonl "$current")
      return
      ;;
    merge:*)
      mapfile -t COMPREPLY < <(_tcplab_files json "$current")
      return
      ;;
    site:*)
      if ((COMP_CWORD == 2)); then
        mapfile -t COMPREPLY < <(compgen -d -- "$current")
      else
        mapfile -t COMPREPLY < <(_tcplab_names "${COMP_WORDS[0]}" | _tcplab_starting "$current")
      fi
      return
      ;;
    audit:*)
      mapfile -t COMPREPLY < <(_tcplab_files lua "$current")
      return
      ;;
    run:* | list:* | explain:* | check:* | quiz:* | matrix:*)
      mapfile -t COMPREPLY < <(
        _tcplab_names "${COMP_WORDS[0]}" | _tcplab_starting "$current"
        [[ $current == */* || $current == .* ]] && _tcplab_files lua "$current"
        [[ $command == explain ]] && _tcplab_files 'pcap*' "$current"
      )
      return
      ;;
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}

complete -o filenames -F _tcplab tcplab
