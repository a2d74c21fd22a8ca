# fish completion of tcplab(1). Commands and options come from --help, scenarios from `tcplab list`.

# In a clone ./tcplab builds first. A key press must not start a build, so use what was built.
function __tcplab
    set -l program (commandline -opc)[1]
    set -l folder (string replace -r '[^/]*$' '' -- $program)
    if test -n "$folder" -a -e "$folder"cmake/rooms.cmake
        set program (set -q TCPLAB_BUILD; and echo $TCPLAB_BUILD; or echo "$folder"build)/bin/tcplab
        test -x $program; or return
    end
    command $program $argv 2>/dev/null
end

function __tcplab_command
    set -l words (commandline -opc)
    string match -qr '^[a-z]+$' -- "$words[2]"; and echo $words[2]
end

function __tcplab_commands
    __tcplab --help | string replace -rf '^  ([a-z]+)  +(\S.*)$' '$1\t$2'
end

function __tcplab_options
    set -l command (__tcplab_command)
    for line in (__tcplab $command --help)
        set -l parts (string match -r '^  (-\S.*?)(?:  +(\S.*))?$' -- $line); or continue
        for option in (string match -ar -- '--[a-z][a-z-]*' $parts[2])
            printf '%s\t%s\n' $option $parts[3]
        end
    end
end

# The choices in "--family 4|6|both" of the option before the cursor.
function __tcplab_choices
    set -l option (commandline -opc)[-1]
    string match -qr '^--[a-z-]+$' -- $option; or return 1
    set -l choices (__tcplab (__tcplab_command) --help |
        string replace -rf "^  (?:-\S, )?$option ((?:[a-z0-9]+\|)+[a-z0-9]+).*" '$1')
    test -n "$choices"; or return 1
    string split '|' -- $choices
end

function __tcplab_takes_names
    contains -- (__tcplab_command) run list explain check quiz site matrix
    and not __tcplab_choices >/dev/null
end

complete -c tcplab -n 'test -z (__tcplab_command)' -f -a '(__tcplab_commands)'
complete -c tcplab -n 'string match -q -- "-*" (commandline -ct)' -f -a '(__tcplab_options)'
complete -c tcplab -n '__tcplab_choices >/dev/null' -f -a '(__tcplab_choices)'
complete -c tcplab -n 'string match -q kernels -- (__tcplab_command)' -a build
complete -c tcplab -n 'string match -q stacks -- (__tcplab_command)' -f -a 'build lwip gvisor slirp'
complete -c tcplab -n 'string match -q conform -- (__tcplab_command)' -a 'linux lwip gvisor slirp'
complete -c tcplab -n __tcplab_takes_names -a '(__tcplab list --names)'
