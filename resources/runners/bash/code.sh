eval "${__sf_flags:+set -$__sf_flags; }$__sf_code"
