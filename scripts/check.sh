#!/usr/bin/env bash
# Every check, quick ones first; BIN is the bin folder of a virtual environment that has everything.
set -euo pipefail
cd "$(dirname "$0")/.."
BIN=$(cd "${BIN:-.venv/bin}" && pwd)
export PATH="$BIN:$PATH"
ruff format --check .
ruff check .
mypy
lint-imports
# Not --quiet: it silences the warnings before --strict can count them.
NO_MKDOCS_2_WARNING=1 mkdocs build --strict
python -m pytest "$@"
