#!/bin/sh
# Builds KSyntaxHighlighting for Qt 6 where the distribution has it for Qt 5 only (Debian 12), and prints its prefix.
# The last Frameworks 5 release supports Qt 6.4. Its source comes from the archive of the mirror that apt already uses;
# nothing outside the prefix changes, apt's own lists included. A second call only prints the prefix.
#   SANDFISH_DEPS           folder for the result (default: sandfish/deps in the user's cache folder)
#   SANDFISH_SYNTAX_SOURCE  the source archive as a local file, for machines without a network
set -eu

version=5.116.0
archive=ksyntax-highlighting_$version.orig.tar.xz
sha256=6f8ccacebd0dc9ce050b2b23b715750c97938b3336fbbb80967920cb8c1dfaa7

fail() {
    echo "syntax-highlighting: $*" >&2
    exit 1
}

# Leaves the source archive in the current folder; $1 is a scratch folder for apt's lists.
download() {
    # shellcheck disable=SC2016  # apt expands its own variables
    mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Identifier: Packages' 'Origin: Debian' 'Component: main' |
        grep -v security | sort -u | head -n 1)
    [ -n "$mirror" ] || fail "apt knows no Debian mirror; run apt-get update, or set SANDFISH_SYNTAX_SOURCE to $archive"
    mkdir -p "$1/parts" "$1/lists/partial" "$1/cache/archives/partial"
    cat >"$1/parts/source.sources" <<SOURCES
Types: deb-src
URIs: $mirror
Suites: trixie
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
SOURCES
    set -- -qq -o Dir::Etc::sourcelist=/dev/null -o "Dir::Etc::sourceparts=$1/parts" -o "Dir::State::lists=$1/lists" \
        -o "Dir::Cache=$1/cache" -o "APT::Sandbox::User=$(id -un)"
    if ! { apt-get "$@" update && apt-get "$@" source --download-only --tar-only "ksyntax-highlighting=$version-1"; } >&2
    then
        fail "the mirror did not give $archive; try again later, or set SANDFISH_SYNTAX_SOURCE to a copy of it"
    fi
}

quietly() {
    "$@" >"$work/log" 2>&1 || { cat "$work/log" >&2; fail "'$1 $2' failed; its output is above"; }
}

qt=$(qtpaths6 --qt-version) || fail "qtpaths6 is missing; install the packages of packaging/packages"
deps=${SANDFISH_DEPS:-${XDG_CACHE_HOME:-$HOME/.cache}/sandfish/deps}
prefix=$deps/syntax-highlighting-$version-qt$qt
mkdir -p "$deps"
# Two build trees configured at once share the one result.
exec 9>"$prefix.lock"
flock 9
if [ -e "$prefix/.done" ]; then
    echo "$prefix"
    exit
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
if [ -n "${SANDFISH_SYNTAX_SOURCE:-}" ]; then
    cp "$SANDFISH_SYNTAX_SOURCE" "$archive"
else
    download "$work"
fi
echo "$sha256  $archive" | sha256sum --check --quiet >&2 || fail "$archive is not the expected file"
tar xf "$archive"
src=$work/syntax-highlighting-$version
# Debian 12's ECM 5.103 is enough, and the library's own translations would need Qt's linguist tools.
sed -i -e 's/find_package(ECM [0-9.]*/find_package(ECM 5.103.0/' -e '/^ecm_install_po_files_as_qm/d' \
    "$src/CMakeLists.txt"
quietly cmake -S "$src" -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=Release "-DCMAKE_INSTALL_PREFIX=$prefix" \
    -DKDE_INSTALL_LIBDIR=lib -DBUILD_WITH_QT6=ON -DBUILD_SHARED_LIBS=OFF -DBUILD_TESTING=OFF -DBUILD_QCH=OFF \
    -DCMAKE_DISABLE_FIND_PACKAGE_Qt6Widgets=ON -DCMAKE_DISABLE_FIND_PACKAGE_Qt6PrintSupport=ON \
    -DCMAKE_DISABLE_FIND_PACKAGE_Qt6Quick=ON
quietly cmake --build "$work/build" --target install
touch "$prefix/.done"
echo "$prefix"
