# Looking inside the shell while it is idle: variables, one value by pages, completion. Sourced at the first call.
#
# Locals begin with __sf_ too: a variable of the cells may have any other name.

__sf_value_chars=120

# What kind of variable $1 is, as words in __sf_type.
__sf_type_of() {
    local __sf_declared
    __sf_declared=$(declare -p "$1" 2>/dev/null)
    __sf_declared=${__sf_declared%%" $1"*}
    case $__sf_declared in
    *A*) __sf_type=map ;;
    *' -'*a*) __sf_type=array ;;
    *i*) __sf_type=integer ;;
    *) __sf_type=string ;;
    esac
    [[ $__sf_declared != *x* ]] || __sf_type+=' (exported)'
}

# The names that cells have made: not the shell's own, not what the environment brought.
__sf_user_names() {
    local __sf_name
    for __sf_name in $(compgen -v); do
        __sf_is_own_variable "$__sf_name" || [[ $__sf_first_names == *" $__sf_name "* ]] || printf '%s\n' "$__sf_name"
    done
}

# ID [LIMIT]
__sf_vars() {
    local __sf_name __sf_entries='' __sf_listed=0 __sf_total=0 __sf_shape __sf_truncated=false
    for __sf_name in $(__sf_user_names); do
        if ((++__sf_total > ${2:-200})); then
            __sf_truncated=true
            continue
        fi
        __sf_type_of "$__sf_name"
        local -n __sf_variable=$__sf_name
        __sf_shape=null
        [[ $__sf_type != array* && $__sf_type != map* ]] || __sf_shape="[${#__sf_variable[@]}]"
        __sf_short_value "$__sf_name"
        __sf_entries+="${__sf_entries:+,}{\"name\":\"$__sf_name\",\"type\":\"$__sf_type\",\"size\":null,"
        __sf_entries+="\"value\":$__sf_text,\"shape\":$__sf_shape}"
    done
    __sf_reply "$1" "\"vars\":[$__sf_entries],\"total\":$__sf_total,\"truncated\":$__sf_truncated"
}

# A short JSON text of variable $1, whose kind is in __sf_type, in __sf_text.
__sf_short_value() {
    local __sf_short
    if [[ $__sf_type == array* || $__sf_type == map* ]]; then
        __sf_short=$(declare -p "$1" 2>/dev/null)
        [[ $__sf_short == *=* ]] && __sf_short=${__sf_short#*=} || __sf_short='()'
    else
        __sf_short=${!1-}
    fi
    ((${#__sf_short} <= __sf_value_chars)) || __sf_short=${__sf_short:0:__sf_value_chars}…
    __sf_json "$__sf_short"
}

# ID NAME [OFFSET [LIMIT]]
__sf_get() {
    if [[ $2 != [A-Za-z_]* || $2 == *[!A-Za-z0-9_]* ]] || ! declare -p "$2" >/dev/null 2>&1; then
        __sf_json "There is no variable '$2'."
        __sf_reply "$1" "\"error\":$__sf_text"
        return
    fi
    __sf_type_of "$2"
    local __sf_head="\"name\":\"$2\",\"type\":\"$__sf_type\",\"offset\":${3:-0}"
    if [[ $__sf_type == array* || $__sf_type == map* ]]; then
        __sf_get_rows "$@"
        return
    fi
    local __sf_whole=${!2-}
    __sf_json "${__sf_whole:${3:-0}:${4:-100}}"
    __sf_reply "$1" "$__sf_head,\"kind\":\"text\",\"text\":$__sf_text,\"total\":${#__sf_whole}"
}

__sf_get_rows() {
    local __sf_start=${3:-0} __sf_end=$((${3:-0} + ${4:-100})) __sf_rows='' __sf_key __sf_at=-1 __sf_kind=list
    local -n __sf_variable=$2
    [[ $__sf_type != map* ]] || __sf_kind=dict
    for __sf_key in "${!__sf_variable[@]}"; do
        ((++__sf_at >= __sf_start && __sf_at < __sf_end)) || continue
        if [[ $__sf_kind == dict ]]; then
            __sf_json "$__sf_key"
        else
            __sf_text=$__sf_key
        fi
        __sf_rows+="${__sf_rows:+,}[$__sf_text,\"string\","
        __sf_json "${__sf_variable[$__sf_key]}"
        __sf_rows+="$__sf_text]"
    done
    __sf_reply "$1" "$__sf_head,\"kind\":\"$__sf_kind\",\"rows\":[$__sf_rows],\"total\":${#__sf_variable[@]}"
}

# ID CODE POS: a command where one begins, a variable after $, else a file.
__sf_complete() {
    local __sf_before=${2:0:${3:-${#2}}} __sf_word __sf_matches='' __sf_match __sf_kind __sf_listed=0 __sf_action=-f
    __sf_word=${__sf_before##*[[:space:]\;\|\&\(\)\<\>\`\"\'=]}
    local __sf_lead=${__sf_before:0:${#__sf_before}-${#__sf_word}}
    local __sf_begins='(^|[;|&(`{]|(^|[[:space:]])(then|do|else|if|while|sudo|time|exec))[[:space:]]*$'
    if [[ $__sf_word == *\$* ]]; then
        __sf_word=${__sf_word##*\$} __sf_action=-v
        __sf_word=${__sf_word#\{}
    elif [[ $__sf_lead =~ $__sf_begins && $__sf_word != */* ]]; then
        __sf_action=-c
    fi
    while IFS= builtin read -r __sf_match; do
        [[ $__sf_match != __sf_* ]] && ((++__sf_listed <= 500)) || continue
        __sf_kind_of_match
        __sf_json "$__sf_match"
        __sf_matches+="${__sf_matches:+,}{\"text\":$__sf_text,\"type\":\"$__sf_kind\"}"
    done < <(compgen $__sf_action -- "$__sf_word" | sort -u)
    local __sf_begin=$((${#__sf_before} - ${#__sf_word}))
    __sf_reply "$1" "\"matches\":[$__sf_matches],\"start\":$__sf_begin,\"end\":${#__sf_before}"
}

# What __sf_match is, in __sf_kind; a folder gets its slash.
__sf_kind_of_match() {
    case $__sf_action in
    -v) __sf_kind=variable ;;
    -c)
        __sf_kind=command
        ! declare -F -- "$__sf_match" >/dev/null || __sf_kind=function
        [[ -z ${BASH_ALIASES[$__sf_match]+set} ]] || __sf_kind=alias
        ;;
    *)
        __sf_kind=file
        [[ ! -d $__sf_match ]] || { __sf_kind=folder __sf_match+=/; }
        ;;
    esac
}
