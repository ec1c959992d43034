#!/bin/sh
# Makes the files that the installers of OpenCart 3.0 and 4.1 take: build.sh [FOLDER]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-"$here/build"}
for version in 3 4; do
  tree="$out/opencart-$version"
  rm -rf "$tree"
  mkdir -p "$tree"
  if [ "$version" = 3 ]; then root="$tree/upload" views=admin/view/template/extension/module; else root="$tree" views=admin/view/template/module; fi
  mkdir -p "$root/$views" "$root/system/library/orderbridge"
  cp -R "$here/opencart-$version/." "$root/"
  cp -R "$here/shared/." "$root/system/library/orderbridge/"
  mv "$root/system/library/orderbridge/view/"*.twig "$root/$views/"
  rmdir "$root/system/library/orderbridge/view"
  # 4.1 names an extension after its file, so each is in a folder of its own.
  (cd "$tree" && zip -qrXD orderbridge.ocmod.zip . && echo "$tree/orderbridge.ocmod.zip")
done
