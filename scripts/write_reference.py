"""The reference of the documentation, from docstrings: a hook that mkdocs runs (mkdocs.yml names it).

A page a room, with a section for each module of it; nothing is imported.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files

_ROOT: Final = Path(__file__).resolve().parents[1]
_PACKAGES: Final = ("viscritic", "data_prep")
_OWN_PAGES: Final = ("data_prep.collect.apps",)  # too many to share a page with what they are built on
_APART: Final = ("data_prep.collect.apps.sites",)  # programs of other virtual environments


def on_config(config: MkDocsConfig) -> None:
    """Put the reference's pages into the navigation."""
    assert config.nav is not None
    pages: list[Any] = [{"Public names": "reference/index.md"}]
    config.nav.append({"Reference": pages + [{room: f"reference/{room}.md"} for room in rooms()]})


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Add the pages themselves."""
    from mkdocs.structure.files import File  # the module is read without mkdocs by tests

    written = {room: _write_room(modules) for room, modules in rooms().items()} | {"index": _write_index()}
    for name, text in written.items():
        files.append(File.generated(config, f"reference/{name}.md", content=text))
    return files


def rooms() -> dict[str, list[str]]:
    """The modules of each room, by dotted names: a package under `viscritic` or `data_prep` with all below it, and
    single modules together under the package that they lie in."""
    found: dict[str, list[str]] = {}
    for module in _modules():
        parts = module.split(".")
        own = next((room for room in _OWN_PAGES if module == room or module.startswith(f"{room}.")), None)
        is_package = (_ROOT / Path(*parts[:2]) / "__init__.py").is_file()
        room = own or (".".join(parts[:2]) if is_package else parts[0])
        found.setdefault(room, []).append(module)
    return found


def public_names(module: str) -> dict[str, str]:
    """What a module itself defines for others, with the first line of its docstring: classes, functions, constants."""
    tree = ast.parse(path_of(module).read_text("utf-8"))
    names: dict[str, str] = {}
    for node in tree.body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            names[node.name] = (ast.get_docstring(node) or "").partition("\n")[0]
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names[node.target.id] = ""
        elif isinstance(node, ast.Assign):
            names |= {target.id: "" for target in node.targets if isinstance(target, ast.Name)}
    return {name: told for name, told in names.items() if not name.startswith("_")}


def path_of(module: str) -> Path:
    """The file of a module."""
    path = _ROOT.joinpath(*module.split("."))
    inside = path / "__init__.py"
    return inside if inside.is_file() else path.with_suffix(".py")


def _modules() -> Iterator[str]:
    for package in _PACKAGES:
        for file in sorted((_ROOT / package).rglob("*.py")):
            parts = file.relative_to(_ROOT).with_suffix("").parts
            name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            if not any(name == part or name.startswith(f"{part}.") for part in _APART):
                yield name


def _write_room(modules: list[str]) -> str:
    sections = []
    for module in modules:
        names = list(public_names(module))
        shown = "".join(f"\n        - {name}" for name in names) if names else " false"
        sections.append(
            f"::: {module}\n    options:\n      heading_level: 2\n      show_root_heading: true\n"
            f"      show_root_full_path: true\n      show_root_toc_entry: true\n      members:{shown}\n"
        )
    return f"# {room_title(modules)}\n\n" + "\n".join(sections)


def room_title(modules: list[str]) -> str:
    """What a room's page is called: its package."""
    return f"`{modules[0]}`"


def _write_index() -> str:
    """What the packages offer by `__all__`, each name with a link to where it is described."""
    lines = ["# Public names", "", "What packages offer by name; the pages beside this one describe every module.", ""]
    for package in (module for module in _modules() if path_of(module).name == "__init__.py"):
        if homes := _offered(package):
            lines += [f"## `{package}`", "", "| name | what it is |", "|---|---|"]
            lines += [f"| [`{name}`][{home}.{name}] | {_first_line(home, name)} |" for name, home in homes.items()]
            lines.append("")
    return "\n".join(lines)


def _offered(package: str) -> dict[str, str]:
    """The names in a package's `__all__` and the modules that define them."""
    tree = ast.parse(path_of(package).read_text("utf-8"))
    listed: list[str] = next(
        (ast.literal_eval(node.value) for node in ast.walk(tree) if isinstance(node, ast.Assign) and node.value
         and any(isinstance(target, ast.Name) and target.id == "__all__" for target in node.targets)), [],
    )  # fmt: skip
    return {name: home for name in listed if (home := _home(package, name)) is not None}


def _home(module: str, name: str) -> str | None:
    """The module that defines a name which `module` has, by its imports."""
    if name in public_names(module):
        return module
    for node in ast.walk(ast.parse(path_of(module).read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and name in {alias.name for alias in node.names}:
            return _home(node.module, name)
    return None


def _first_line(module: str, name: str) -> str:
    return public_names(module)[name].replace("|", "\\|")
