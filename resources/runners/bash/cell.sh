# Runs the text of a cell at top level: sourced by the command line that the engine writes.
. "$__sf_home/code.sh"
{
    __sf_status=$?
    __sf_set_options_aside
} 2>/dev/null
return $__sf_status
