# The state of the shell as a file that restores it when sourced, and the restart after `exit`.

__sf_own_functions=' read exit trap '

# Puts out commands that restore cwd, umask, options, aliases, variables and functions.
__sf_write_state() {
    local name
    printf 'cd -- %q\numask %s\n' "$PWD" "$(umask)"
    shopt -p | grep -v -e login_shell -e restricted_shell
    set +o | grep -v -e monitor -e history -e emacs -e ' vi$' -e errexit -e nounset -e xtrace -e verbose -e histexpand
    alias -p
    printf '__sf_flags=%q\n' "${__sf_flags/e/}"
    local readonly
    readonly=$(declare -pr)
    for name in $(compgen -v); do
        __sf_is_own_variable "$name" || __sf_write_variable "$name"
    done
    for name in $(compgen -A function); do
        [[ $name == __sf_* || $__sf_own_functions == *" $name "* ]] || declare -f "$name"
    done
    declare -Fx | grep -v -e ' __sf_'
}

__sf_is_own_variable() {
    case $1 in
    __sf_* | BASH | BASH_* | BASHOPTS | BASHPID | COMP_* | DIRSTACK | EPOCH* | EUID | FUNCNAME | GROUPS | HIST* | HOST*) return 0 ;;
    LINENO | MACHTYPE | OLDPWD | OPTERR | OPTIND | OSTYPE | PIPESTATUS | PPID | PROMPT_COMMAND | PS[0-4] | PWD) return 0 ;;
    RANDOM | SECONDS | SHELLOPTS | SHLVL | SRANDOM | UID | _ | name | readonly | SANDFISH_*) return 0 ;;
    esac
    return 1
}

# A read-only variable, which could not be declared twice, is declared as an ordinary one.
__sf_write_variable() {
    if [[ $readonly != *" $1="* && $readonly != *" $1"$'\n'* ]]; then
        declare -p "$1" 2>/dev/null
        return 0
    fi
    local text flags
    text=$(declare -p "$1" 2>/dev/null) && [[ $text == declare\ -* ]] || return 0
    flags=${text#declare -}
    flags=${flags%% *}
    printf 'declare -%s %s\n' "${flags//r/}" "${text#declare -* }"
}

# ID FILE
__sf_save() {
    if __sf_write_state >"$2.part" && command mv -f -- "$2.part" "$2"; then
        __sf_reply "$1" "\"bytes\":$(($(wc -c <"$2")))"
    else
        __sf_reply "$1" "\"error\":\"The state could not be written.\""
    fi
}

# `exit`, or `set -e` at a failure, with exit status $1: tells the engine, then becomes a new Bash with the state restored.
__sf_leave() {
    { __sf_set_options_aside; builtin trap '' INT; builtin trap - EXIT; } 2>/dev/null
    local code=$1 file
    [[ -z $__sf_user_exit || $__sf_user_exit == - ]] || eval "$__sf_user_exit"
    __sf_user_exit=
    file=$(mktemp "${TMPDIR:-/tmp}/sandfish-bash.XXXXXX") || builtin exit "$code"
    __sf_done exit "$code" ''
    __sf_write_state >"$file" 2>/dev/null
    # An ignored signal would stay ignored.
    builtin trap - INT
    __sf_restart "$file"
}

__sf_restart() {
    # A copy of 0, 1 or 2 loses the close-on-exec mark: the way back to plain descriptors.
    exec 0<&$__sf_control 3<&0
    exec 0<&$__sf_in 5<&0
    exec 0<&$__sf_err 4<&0
    exec 0<&$__sf_lines 1>&$__sf_out 2>/dev/null
    SANDFISH_NONCE=$__sf_nonce SANDFISH_RESUME_FILE=$1 SANDFISH_RESUME_COUNT=$__sf_count \
        SANDFISH_RESUME_SEQUENCE=$__sf_sequence PROMPT_COMMAND=". $(printf %q "$__sf_home/runner.sh")" \
        exec "$BASH" --noprofile --norc --noediting -i
}

# ID FILE
__sf_load() {
    if [[ -r $2 ]]; then
        __sf_load_file=$2
        __sf_reply "$1" ""
    else
        __sf_reply "$1" "\"error\":\"The saved state cannot be read.\""
    fi
}
