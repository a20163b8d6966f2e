# The state of the shell as a file that restores it when sourced, and the restart after `exit`.

__sf_own_functions=' read exit trap '

# Puts out commands that restore cwd, umask, options, aliases, variables and functions.
__sf_write_state() {
    local __sf_name __sf_readonly
    printf 'cd -- %q\numask %s\n' "$PWD" "$(umask)"
    shopt -p | grep -v -e login_shell -e restricted_shell
    set +o | grep -v -e monitor -e history -e emacs -e ' vi$' -e errexit -e nounset -e xtrace -e verbose -e histexpand
    alias -p
    printf '__sf_flags=%q\n' "${__sf_flags/e/}"
    __sf_readonly=$(declare -pr)
    # -g, so that a function may source the file.
    for __sf_name in $(compgen -v); do
        __sf_is_own_variable "$__sf_name" || __sf_write_variable "$__sf_name"
    done | sed -E 's/^declare -(-|[a-zA-Z]+) /declare -g -\1 /'
    for __sf_name in $(compgen -A function); do
        [[ $__sf_name == __sf_* || $__sf_own_functions == *" $__sf_name "* ]] || declare -f "$__sf_name"
    done
    declare -Fx | grep -v -e ' __sf_'
    # Not that of grep, which may have found nothing.
    return 0
}

__sf_is_own_variable() {
    case $1 in
    __sf_* | BASH | BASH_* | BASHOPTS | BASHPID | COMP_* | DIRSTACK | EPOCH* | EUID | FUNCNAME | GROUPS) return 0 ;;
    HIST* | HOST* | LINENO | MACHTYPE | OLDPWD | OPTERR | OPTIND | OSTYPE | PIPESTATUS | PPID) return 0 ;;
    PROMPT_COMMAND | PS[0-4] | PWD) return 0 ;;
    RANDOM | SECONDS | SHELLOPTS | SHLVL | SRANDOM | UID | _ | SANDFISH_*) return 0 ;;
    esac
    return 1
}

# A read-only variable, which could not be declared twice, is declared as an ordinary one.
__sf_write_variable() {
    if [[ $__sf_readonly != *" $1="* && $__sf_readonly != *" $1"$'\n'* ]]; then
        declare -p "$1" 2>/dev/null
        return 0
    fi
    local __sf_declared __sf_letters
    __sf_declared=$(declare -p "$1" 2>/dev/null) && [[ $__sf_declared == declare\ -* ]] || return 0
    __sf_letters=${__sf_declared#declare -}
    __sf_letters=${__sf_letters%% *}
    __sf_letters=${__sf_letters//r/}
    printf 'declare -%s %s\n' "${__sf_letters:--}" "${__sf_declared#declare -* }"
}

# ID FILE
__sf_save() {
    if __sf_write_state >"$2.part" && command mv -f -- "$2.part" "$2"; then
        __sf_reply "$1" "\"bytes\":$(($(wc -c <"$2")))"
    else
        __sf_reply "$1" "\"error\":\"The state could not be written.\""
    fi
}

# ID FILE: as __sf_save, and says what a shell that reads FILE back would not have.
__sf_checkpoint() {
    local __sf_inexact=
    [[ -z $(jobs -pr) ]] || __sf_inexact='"children"'
    if __sf_write_state >"$2.part" 2>/dev/null && command mv -f -- "$2.part" "$2"; then
        __sf_event checkpoint "\"id\":$1,\"inexact\":[$__sf_inexact]"
    else
        __sf_event checkpoint "\"id\":$1,\"inexact\":[],\"error\":\"The state could not be written.\""
    fi
}

# `exit`, or `set -e` at a failure, with exit status $1: tells the engine, then becomes a new Bash with the state
# restored.
__sf_leave() {
    {
        __sf_set_options_aside
        builtin trap '' INT
        builtin trap - EXIT
    } 2>/dev/null
    local __sf_asked=$1 __sf_file
    [[ -z $__sf_user_exit || $__sf_user_exit == - ]] || eval "$__sf_user_exit"
    __sf_user_exit=
    __sf_file=$(mktemp "${TMPDIR:-/tmp}/sandfish-bash.XXXXXX") || builtin exit "$__sf_asked"
    __sf_done exit "$__sf_asked" ''
    __sf_write_state >"$__sf_file" 2>/dev/null
    # An ignored signal would stay ignored.
    builtin trap - INT
    __sf_restart "$__sf_file"
}

__sf_restart() {
    # A copy of 0, 1 or 2 loses the close-on-exec mark: the way back to plain descriptors.
    exec 0<&$__sf_control 3<&0
    exec 0<&$__sf_in 5<&0
    exec 0<&$__sf_err 4<&0
    exec 0<&$__sf_lines 1>&$__sf_out 2>/dev/null
    SANDFISH_NONCE=$__sf_nonce SANDFISH_RESUME_FILE=$1 SANDFISH_RESUME_COUNT=$__sf_count \
        SANDFISH_RESUME_SEQUENCE=$__sf_sequence SANDFISH_RESUME_NAMES=$__sf_first_names \
        PROMPT_COMMAND=". $(printf %q "$__sf_home/runner.sh")" \
        exec "$BASH" --noprofile --norc --noediting -i
}

# ID FILE
__sf_load() {
    if [[ -r $2 ]] && . "$2" 2>/dev/null; then
        __sf_reply "$1" ''
    else
        __sf_reply "$1" "\"error\":\"The saved state cannot be read.\""
    fi
}
