#!/usr/bin/env bash
# Installs a virtual display and the desktop applications that transitions are collected from, on Debian or Ubuntu.
# With --least only what the tests need.
set -euo pipefail
desktop=(xvfb openbox dbus at-spi2-core libatk-adaptor libgail-common python3-gi gir1.2-gtk-3.0 adwaita-icon-theme
  gnome-themes-extra fonts-noto-core fonts-dejavu fonts-liberation libxfixes3 libxrandr2)
least=(galculator pcmanfm sgt-puzzles)
others=(gedit thunar gnome-calculator)
packages=("${desktop[@]}" "${least[@]}")
if [ "${1:-}" != --least ]; then
  packages+=("${others[@]}")
fi
if ! command -v dpkg-query >/dev/null 2>&1 || ! command -v apt-get >/dev/null 2>&1; then
  echo "no apt-get here: install by hand what corresponds to: ${packages[*]}" >&2
  exit 0
fi
missing=()
for package in "${packages[@]}"; do
  if ! dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed'; then
    missing+=("$package")
  fi
done
if [ "${#missing[@]}" = 0 ]; then
  exit 0
fi
run() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }
export DEBIAN_FRONTEND=noninteractive
run apt-get update -qq
run apt-get install -qq -y --no-install-recommends "${missing[@]}"
