# Marks, events and JSON text.

# Orders all text written so far before all that follows; the number is in __sf_sequence.
__sf_mark() {
    local mark
    printf -v mark '\036M%s%08x\036' "$__sf_nonce" $((++__sf_sequence))
    printf '\0%s' "$mark" >&$__sf_out
    printf '\0%s' "$mark" >&$__sf_err
}

# Sends event $1 with the members $2, which are JSON text.
__sf_event() {
    printf '{"ev":"%s",%s}\n' "$1" "$2" >&$__sf_control
}

# As __sf_event, after all text written so far; a subshell has no marks of its own.
__sf_marked_event() {
    if [[ $BASHPID == "$$" ]]; then
        __sf_mark
        __sf_event "$1" "$2,\"mark\":$__sf_sequence"
    else
        __sf_event "$1" "$2"
    fi
}

# Puts $1 as a JSON string into __sf_text; what is no printable character becomes U+FFFD.
__sf_json() {
    __sf_text=${1//\\/\\\\}
    __sf_text=${__sf_text//\"/\\\"}
    __sf_text=${__sf_text//$'\n'/\\n}
    __sf_text=${__sf_text//$'\t'/\\t}
    __sf_text=${__sf_text//$'\r'/\\r}
    __sf_text=${__sf_text//$'\e'/\\u001b}
    __sf_text=\"${__sf_text//[^[:print:]]/\\ufffd}\"
}

# Answers request $1 with the members $2.
__sf_reply() {
    __sf_event reply "\"id\":$1${2:+,$2}"
}

# Microseconds in __sf_time, for differences only.
__sf_now() {
    if [[ -n ${EPOCHREALTIME:-} ]]; then
        __sf_time=${EPOCHREALTIME/[.,]/}
    else
        __sf_time=${SECONDS}000000
    fi
}
