#!/usr/bin/env bash
# Installs Chromium and fonts on Debian or Ubuntu, if no browser is there: the tests drive a real one.
set -euo pipefail
if command -v chromium >/dev/null 2>&1; then
  exit 0
fi
if ! command -v apt-get >/dev/null 2>&1; then
  echo "no chromium and no apt-get here: install Chromium by hand, or browser tests are skipped" >&2
  exit 0
fi
run() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }
export DEBIAN_FRONTEND=noninteractive
run apt-get update -qq
run apt-get install -qq -y --no-install-recommends chromium fonts-dejavu fonts-liberation fonts-noto-color-emoji
