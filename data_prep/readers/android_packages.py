"""Which app an Android episode is about, from the packages that it went through."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final

_NO_APP: Final = ("launcher", "com.android.systemui", "inputmethod", "permissioncontroller")


def main_package(names: Iterable[object], otherwise: str) -> str:
    """The most frequent package of activities ("com.android.settings/.Settings") that is an app of its own.

    Args:
        names: packages or activities; what is no text counts for nothing.
        otherwise: the answer where only launchers and keyboards were seen.
    """
    packages = [name.partition("/")[0] for name in names if isinstance(name, str)]
    apps = Counter(name for name in packages if name and not any(part in name.lower() for part in _NO_APP))
    return apps.most_common(1)[0][0] if apps else otherwise
