#!/bin/sh
# Installs BriefBank from this folder, without questions: for one user, or with --system for every user of the machine.
# Another run upgrades. Banks and feedback lie in users' own data folders and are never touched, by --remove neither.
set -eu

usage() {
    echo "Usage: $0 [--system] [--prefix DIR] [--remove]" >&2
    echo "  --system      for all users (below /opt and /usr/local); else for you (below ~/.local)" >&2
    echo "  --prefix DIR  where the program's folder goes, instead of /opt or ~/.local/lib" >&2
    echo "  --remove      take the program away again" >&2
    exit 2
}

here=$(cd -- "$(dirname -- "$0")" && pwd)
is_system=no
is_removal=no
prefix=
while [ $# -gt 0 ]; do
    case $1 in
    --system) is_system=yes ;;
    --remove) is_removal=yes ;;
    --prefix)
        [ $# -gt 1 ] || usage
        prefix=$2
        shift
        ;;
    *) usage ;;
    esac
    shift
done

if [ $is_system = yes ]; then
    prefix=${prefix:-/opt}
    commands=/usr/local/bin
    shared=/usr/local/share
else
    prefix=${prefix:-$HOME/.local/lib}
    commands=$HOME/.local/bin
    shared=${XDG_DATA_HOME:-$HOME/.local/share}
fi
target=$prefix/briefbank

refresh() {
    if command -v update-mime-database >/dev/null 2>&1; then update-mime-database "$shared/mime" || true; fi
    if command -v update-desktop-database >/dev/null 2>&1; then
        update-desktop-database "$shared/applications" >/dev/null 2>&1 || true
    fi
}

remove() {
    rm -f "$commands/briefbank" "$commands/briefbank-ui" \
        "$shared/applications/briefbank.desktop" "$shared/applications/briefbank-pack.desktop" \
        "$shared/mime/packages/briefbank.xml" "$shared/icons/hicolor/scalable/apps/briefbank.svg"
    rm -rf "$target"
    refresh
}

if [ $is_removal = yes ]; then
    remove
    echo "BriefBank was removed. Banks and feedback were left where they are."
    exit 0
fi

[ -x "$here/briefbank" ] || {
    echo "This is not BriefBank's offline folder: there is no program 'briefbank' in $here" >&2
    exit 1
}
mkdir -p "$prefix" "$commands" "$shared/applications" "$shared/mime/packages" "$shared/icons/hicolor/scalable/apps"
rm -rf "$target.new" "$target.old"
cp -R "$here" "$target.new"
[ ! -e "$target" ] || mv "$target" "$target.old"
mv "$target.new" "$target"
rm -rf "$target.old"
ln -sf "$target/briefbank" "$commands/briefbank"
ln -sf "$target/briefbank-ui" "$commands/briefbank-ui"
for name in briefbank briefbank-pack; do
    sed "s|@COMMANDS@|$commands|g" "$here/desktop/$name.desktop" >"$shared/applications/$name.desktop"
done
cp "$here/desktop/briefbank.xml" "$shared/mime/packages/briefbank.xml"
cp "$here/desktop/briefbank.svg" "$shared/icons/hicolor/scalable/apps/briefbank.svg"
refresh
echo "BriefBank is installed in $target; the programs are $commands/briefbank and $commands/briefbank-ui."
