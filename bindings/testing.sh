# Functions for the scripts that test bindings, to be sourced.

# Records that a host is left out.
note() {
    echo "not run: $*" >&2
    [ -z "${URLID_NOTES:-}" ] || echo "not run: $*" >>"$URLID_NOTES"
}

# Ends a script whose host is not available. This is an error if URLID_REQUIRE_DATA is 1.
not_run() {
    note "$@"
    [ "${URLID_REQUIRE_DATA:-}" != 1 ] || exit 1
    exit 0
}

fail() {
    echo "run-tests: $*" >&2
    exit 1
}

# Prints the prefix that runs a command as root, which is empty for root.
as_root() {
    [ "$(id -u)" = 0 ] || command -v sudo
}

# Installs packages by apt. Each argument is a list of names, of which the first that can be installed is
# used.
install() {
    local prefix names name apt
    command -v apt-get >/dev/null && prefix="$(as_root)" || { echo "cannot install $*: found no apt-get, or neither root nor sudo" >&2; return 1; }
    apt=($prefix env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0)
    "${apt[@]}" update >&2 || return 1
    for names in "$@"; do
        for name in $names; do
            "${apt[@]}" install -y --no-install-recommends "$name" >&2 && continue 2
        done
        echo "cannot install any of: $names" >&2
        return 1
    done
}

# Makes a Python environment with the packages of a file, unless it exists:
# `environment PYTHON FOLDER REQUIREMENTS`.
environment() {
    # The copy of the list is written last, so that an incomplete environment lacks it.
    cmp -s "$3" "$2/requirements.txt" && return
    "$1" -m venv --clear "$2"
    "$2/bin/pip" install --quiet --disable-pip-version-check --requirement "$3"
    cp "$3" "$2/requirements.txt"
}

# Sets URLID_CLI to the program to compare with, which is built unless it is set: `program ROOT`.
program() {
    if [ -z "${URLID_CLI:-}" ]; then
        (cd "$1" && cargo build --quiet --package urlid-cli)
        URLID_CLI="$(cd "$1" && cargo metadata --no-deps --format-version 1 | sed 's/.*"target_directory":"\([^"]*\)".*/\1/')/debug/urlid"
    fi
    export URLID_CLI
}
