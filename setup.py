"""How the wheel differs from this folder: all that authors get lies under the one name `ladle`."""

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

PARTS = ("engine", "sandbox", "ladder")


class Gathered(build_py):
    """Puts the packages beside `ladle` into it; an editable install leaves them where they are."""

    def run(self) -> None:
        super().run()
        if self.editable_mode:
            return
        built = Path(self.build_lib)
        parts = built / "ladle" / "_parts"
        shutil.rmtree(parts, ignore_errors=True)  # of an earlier build
        parts.mkdir(parents=True)
        for name in PARTS:
            (built / name).rename(parts / name)
        for path in (parts / "ladder").glob("*.*"):
            if path.name not in ("__init__.py", "py.typed"):
                path.unlink()  # the server's
        # Last on the path, so that a bot's `import engine` is found wherever nothing else is called
        # that: at home, in editors and by type checkers.
        (built / "ladle.pth").write_text("ladle/_parts\n")
        told = Path(self.get_finalized_command("egg_info").egg_info) / "top_level.txt"
        told.write_text("ladle\n")


setup(cmdclass={"build_py": Gathered})
