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
    local __sf_assignment __sf_name __sf_quoted __sf_declared
    __sf_restore=()
    for __sf_assignment; do
        __sf_name=${__sf_assignment%%=*}
        [[ $__sf_name == [A-Za-z_]* && $__sf_name != *[!A-Za-z0-9_]* ]] || continue
        if [[ -n ${!__sf_name+set} ]]; then
            printf -v __sf_quoted %q "${!__sf_name}"
            __sf_declared=$(declare -p "$__sf_name")
            [[ ${__sf_declared%%" $__sf_name"*} == *x* ]] || __sf_quoted+="; declare -g +x $__sf_name"
            __sf_restore+=("$__sf_name=$__sf_quoted")
        else
            __sf_restore+=("unset $__sf_name")
        fi
        export "$__sf_assignment"
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
    if (($1 == 130)); then
        # 128 + SIGINT: the last command was interrupted, though Bash itself went on.
        __sf_done_interrupted
    elif (($1)); then
        __sf_done error "$1" \
            ",\"ename\":\"ExitError\",\"evalue\":\"Process exited with code $1\",\"traceback\":\"\",\"frames\":[]"
    else
        __sf_done ok 0 ''
    fi
}

# STATUS CODE EXTRA: the only place that writes `done`.
__sf_done() {
    local __sf_ms=0 __sf_cwd __sf_undo
    for __sf_undo in "${__sf_restore[@]}"; do
        eval "$__sf_undo"
    done
    __sf_restore=()
    __sf_now
    printf -v __sf_ms '%d.%03d' $(((__sf_time - __sf_started) / 1000)) $(((__sf_time - __sf_started) % 1000))
    __sf_json "$PWD"
    __sf_cwd=$__sf_text
    __sf_marked_event "done" \
        "\"id\":$__sf_id,\"status\":\"$1\",\"code\":$2,\"ms\":$__sf_ms,\"n\":$__sf_count,\"cwd\":$__sf_cwd$3"
    __sf_id=
    __sf_code=
}

__sf_done_interrupted() {
    __sf_done interrupted 130 ',"ename":"Interrupted","evalue":"","traceback":"Interrupted","frames":[]'
}

# ID: written after SIGINT. The signal has ended the cell, unless that had come to its end before.
__sf_interrupted() {
    {
        set +x
        builtin trap '' INT
    } 2>/dev/null
    if [[ $__sf_id == "$1" ]]; then
        __sf_set_options_aside
        __sf_forget_answers
        __sf_done_interrupted
    fi
    __sf_event idle "\"id\":$1"
}

# An answer that came too late is for no later question.
__sf_forget_answers() {
    local line
    while builtin read -t 0 -u $__sf_in && IFS= builtin read -r -t 0.05 -u $__sf_in line; do
        :
    done
}
