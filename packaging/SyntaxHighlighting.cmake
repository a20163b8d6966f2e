# Defines sandfish::syntax: KSyntaxHighlighting for Qt 6.
#   1. the distribution's KF6SyntaxHighlighting (Debian 13, Ubuntu 24.10, Fedora, Arch)
#   2. otherwise a static Qt 6 build of the last Frameworks 5 release, which
#      packaging/syntax-highlighting.sh makes once from Debian's source archive (Debian 12)
# Static, so that programs need no RUNPATH and a package carries no second library; made while configuring, because a
# build step would hide the headers from the compiler database until the first build.
option(SANDFISH_BUILD_SYNTAX "Build KSyntaxHighlighting when the distribution has none for Qt 6" ON)

find_package(KF6SyntaxHighlighting 6.0 QUIET)
if(TARGET KF6::SyntaxHighlighting)
    set(_sandfish_syntax KF6::SyntaxHighlighting)
else()
    if(SANDFISH_BUILD_SYNTAX)
        message(STATUS "KSyntaxHighlighting for Qt 6 is not packaged here; using a private build (a minute, once)")
        execute_process(
            COMMAND sh "${CMAKE_CURRENT_LIST_DIR}/syntax-highlighting.sh"
            OUTPUT_VARIABLE _sandfish_syntax_prefix
            OUTPUT_STRIP_TRAILING_WHITESPACE
            RESULT_VARIABLE _sandfish_syntax_result)
        if(NOT _sandfish_syntax_result EQUAL 0)
            message(FATAL_ERROR "KSyntaxHighlighting could not be prepared; the reason is in the lines above.")
        endif()
        list(PREPEND CMAKE_PREFIX_PATH "${_sandfish_syntax_prefix}")
    endif()
    # A Qt 5 build of the same library must never be mixed in: look only in the given prefixes.
    find_package(KF5SyntaxHighlighting 5.116 REQUIRED NO_SYSTEM_ENVIRONMENT_PATH NO_CMAKE_SYSTEM_PATH)
    set(_sandfish_syntax KF5::SyntaxHighlighting)
endif()
message(STATUS "Syntax highlighting: ${_sandfish_syntax}")

add_library(sandfish_syntax INTERFACE)
add_library(sandfish::syntax ALIAS sandfish_syntax)
target_link_libraries(sandfish_syntax INTERFACE ${_sandfish_syntax})
