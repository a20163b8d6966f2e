# Builtins that mean something else in a cell than in a terminal. In a subshell they are themselves.

# Asks the client when the cell's own stdin is read.
read() {
    if [[ /dev/fd/0 -ef /dev/fd/$__sf_in ]]; then
        local OPTIND=1 OPTARG= __sf_option __sf_prompt= __sf_password=false __sf_other=
        while getopts ':a:d:eEi:n:N:p:rst:u:' __sf_option "$@"; do
            case $__sf_option in
            p) __sf_prompt=$OPTARG ;;
            s) __sf_password=true ;;
            u) __sf_other=$OPTARG ;;
            esac
        done
        if [[ -z $__sf_other ]]; then
            __sf_json "$__sf_prompt"
            __sf_marked_event input_request "\"id\":${__sf_id:-null},\"prompt\":$__sf_text,\"password\":$__sf_password"
        fi
    fi
    builtin read "$@"
}

# Ends the cell, not the context.
exit() {
    local __sf_code_asked=${1-$?}
    [[ $BASHPID == "$$" ]] || builtin exit "$__sf_code_asked"
    __sf_leave "$__sf_code_asked"
}

# A trap on EXIT belongs to the next exit, one on INT must not be active between cells.
trap() {
    builtin trap "$@" || return
    [[ $BASHPID == "$$" && $# -ge 2 && $1 != -[pl] ]] || return 0
    [[ $1 == -- ]] && shift
    local __sf_command=$1 __sf_signal
    for __sf_signal in "${@:2}"; do
        case $__sf_signal in
        EXIT | exit | 0)
            __sf_user_exit=$__sf_command
            builtin trap '__sf_leave $?' EXIT
            ;;
        INT | int | SIGINT | 2) __sf_user_int=$__sf_command ;;
        esac
    done
}
