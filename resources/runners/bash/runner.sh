# The Bash runner; see ../README.md for the contract with the engine, which writes the line that sources this file.
#
# Bash itself reads the command lines, interactively: only then does SIGINT end the cell and nothing else. Every name
# begins with __sf_, every descriptor is marked close-on-exec, so that no child program inherits one.

PS1= PS2= PS4='+ '
unset HISTFILE PROMPT_COMMAND
set +m +H +o history
shopt -s expand_aliases

__sf_home=${BASH_SOURCE[0]%/*} __sf_cell=${BASH_SOURCE[0]%/*}/cell.sh
__sf_out=201 __sf_err=202 __sf_in=203 __sf_control=204 __sf_lines=205
__sf_id='' __sf_flags='' __sf_code='' __sf_user_exit='' __sf_user_int=-
__sf_count=${SANDFISH_RESUME_COUNT:-0} __sf_sequence=${SANDFISH_RESUME_SEQUENCE:-0} __sf_nonce=${SANDFISH_NONCE:-}
declare -a __sf_restore=()
# As after `trap - INT`: SIGINT means nothing while no cell runs.
builtin trap '' INT

# Copies descriptor 200 to $1. Bash marks only the copies that it makes for itself while a redirection lasts; a copy of
# such a copy is marked too.
__sf_copy() {
    local copy
    for copy in {10..30}; do
        [[ /dev/fd/$copy -ef /dev/fd/200 ]] && eval "exec $1>&$copy" && return
    done
}

# Keeps descriptor $1 as $2, marked close-on-exec.
__sf_keep() {
    eval "exec 200>&$1; __sf_copy $2 $1>&-; exec 200>&-"
}

. "$__sf_home/events.sh"
. "$__sf_home/cells.sh"
. "$__sf_home/builtins.sh"
. "$__sf_home/state.sh"

# Needed only when the window asks; read at the first call.
__sf_vars() {
    . "$__sf_home/look.sh"
    __sf_vars "$@"
}
__sf_get() {
    . "$__sf_home/look.sh"
    __sf_get "$@"
}
__sf_complete() {
    . "$__sf_home/look.sh"
    __sf_complete "$@"
}

[[ -z ${SANDFISH_RESUME_FILE:-} ]] || exec 2>&4 4>&-
__sf_keep 0 $__sf_lines
__sf_keep 1 $__sf_out
__sf_keep 2 $__sf_err
__sf_keep 3 $__sf_control
__sf_keep 5 $__sf_in
exec 3>&- 5<&-
builtin trap '__sf_leave $?' EXIT
__sf_first_names=${SANDFISH_RESUME_NAMES:- $(compgen -v | tr '\n' ' ')}

if [[ -n ${SANDFISH_RESUME_FILE:-} ]]; then
    . "$SANDFISH_RESUME_FILE" 2>/dev/null
    rm -f -- "$SANDFISH_RESUME_FILE"
else
    printf -v __sf_version '%s.%s.%s' "${BASH_VERSINFO[@]:0:3}"
    __sf_features='["complete","vars","get","interrupt","save","checkpoint"]'
    __sf_event ready "\"pid\":$$,\"lang\":\"bash\",\"version\":\"$__sf_version\",\"features\":$__sf_features"
fi
unset SANDFISH_NONCE SANDFISH_RESUME_FILE SANDFISH_RESUME_NAMES SANDFISH_RESUME_COUNT SANDFISH_RESUME_SEQUENCE
