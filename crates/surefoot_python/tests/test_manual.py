"""The code of the manual's pages about Python: all of it runs, or is compiled where it says `no_run`."""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[3]
PAGES = ["python.md", "habitat.md"]
ONLY_COMPILED = {"no_run", "habitat"}
"""Marks of blocks that use other packages, or are theirs."""


@dataclass(frozen=True)
class Block:
    """A block of code, and where it begins."""

    page: Path
    line: int
    marks: frozenset[str]
    code: str

    def run(self, names: dict[str, object]) -> None:
        """Run it, or only compile it; errors name the line of the page."""
        code = compile("\n" * self.line + self.code, str(self.page), "exec")
        if not self.marks & ONLY_COMPILED:
            exec(code, names)


def blocks(page: Path) -> list[Block]:
    """The blocks of Python of a page, in order."""
    text = page.read_text(encoding="utf-8")
    found = re.finditer(r"^```python([\w,]*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return [
        Block(
            page,
            text.count("\n", 0, block.start()) + 1,
            frozenset(block[1].split(",")) - {""},
            block[2],
        )
        for block in found
    ]


@pytest.mark.parametrize("name", PAGES)
def test_the_code_of_a_page_runs(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copy(ROOT / "scenes" / "two_storeys.glb", tmp_path / "level.glb")
    names: dict[str, object] = {"__name__": "manual"}
    page = blocks(ROOT / "docs" / "src" / name)
    assert any(not block.marks & ONLY_COMPILED for block in page)
    with np.errstate(invalid="ignore"):
        for block in page:
            block.run(names)


@pytest.mark.parametrize("name", PAGES)
def test_every_block_is_found(name: str) -> None:
    page = ROOT / "docs" / "src" / name
    count = page.read_text(encoding="utf-8").count("```python")
    found = blocks(page)
    assert len(found) == count
    for block in found:
        assert block.marks <= ONLY_COMPILED, f"{page}:{block.line}"
        line = page.read_text(encoding="utf-8").splitlines()[block.line]
        assert block.code.startswith(line), "lines are counted right"


def test_an_error_names_its_line(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("text\n\n```python\nx = 1\nx / 0\n```\n", encoding="utf-8")
    with pytest.raises(ZeroDivisionError) as error:
        blocks(page)[0].run({})
    assert error.traceback[-1].lineno + 1 == 5
