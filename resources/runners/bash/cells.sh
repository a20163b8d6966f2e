# One execution, from the engine's command line: __sf_begin …; . cell; __sf_end $?

# ID LABEL CODE [NAME=VALUE …]
__sf_begin() {
    __sf_id=$1 __sf_code=$3
    BASH_ARGV0=$2
    ((++__sf_count))
    shift 3
    __sf_export "$@"
    __sf_now
    __sf_started=$__sf_time
    __sf_marked_event started "\"id\":$__sf_id"
    builtin trap -- "$__sf_user_int" INT
}

# Exports NAME=VALUE for this run and notes how to undo it.
__sf_export() {
    local assignment name quoted
    __sf_restore=()
    for assignment; do
        name=${assignment%%=*}
        [[ $name == [A-Za-z_]* && $name != *[!A-Za-z0-9_]* ]] || continue
        if [[ -n ${!name+set} ]]; then
            printf -v quoted %q "${!name}"
            [[ $(declare -p "$name") == 'declare -'*x*' '* ]] || quoted+="; declare -g +x $name"
            __sf_restore+=("$name=$quoted")
        else
            __sf_restore+=("unset $name")
        fi
        export "$assignment"
    done
}

# Options that would show or end the runner's own commands wait in __sf_flags for the next cell.
__sf_set_options_aside() {
    local flag
    __sf_flags=
    for flag in e u x v; do
        [[ $- != *$flag* ]] || __sf_flags+=$flag
    done
    set +euxv
}

# STATUS: what the cell's last command gave.
__sf_end() {
    builtin trap '' INT
    [[ -n $__sf_id ]] || return 0
    if (($1)); then
        __sf_done error "$1" ",\"ename\":\"ExitError\",\"evalue\":\"Process exited with code $1\",\"traceback\":\"\",\"frames\":[]"
    else
        __sf_done ok 0 ''
    fi
}

# STATUS CODE EXTRA: the only place that writes `done`.
__sf_done() {
    local ms=0 cwd undo
    for undo in "${__sf_restore[@]}"; do
        eval "$undo"
    done
    __sf_restore=()
    __sf_now
    printf -v ms '%d.%03d' $(((__sf_time - __sf_started) / 1000)) $(((__sf_time - __sf_started) % 1000))
    __sf_json "$PWD"
    cwd=$__sf_text
    __sf_marked_event "done" "\"id\":$__sf_id,\"status\":\"$1\",\"code\":$2,\"ms\":$ms,\"n\":$__sf_count,\"cwd\":$cwd$3"
    __sf_id=
    __sf_code=
}

# ID: written after SIGINT. The signal has ended the cell, unless that had come to its end before.
__sf_interrupted() {
    { set +x; builtin trap '' INT; } 2>/dev/null
    if [[ $__sf_id == "$1" ]]; then
        __sf_set_options_aside
        __sf_done interrupted 130 ',"ename":"Interrupted","evalue":"","traceback":"Interrupted","frames":[]'
    fi
    __sf_event idle "\"id\":$1"
}
