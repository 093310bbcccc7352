"""Takes the blocks of one language out of the README.

A fenced block belongs to a language when the line before it says so: `<!-- contract:go -->` marks shell lines,
`<!-- contract:go buf.gen.yaml -->` a file. The files (and those of `contract:all`) are written into the folder, the shell
lines to the path `lines.sh` there: what is tested is what a team reads.

    extract.py README LANGUAGE FOLDER
"""

import pathlib
import re
import sys

BLOCK = re.compile(r"^<!-- contract:(\w+)(?: (\S+))? -->\n+```\w*\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def main(readme: str, language: str, folder: str) -> None:
    lines = ""
    for owner, name, body in BLOCK.findall(pathlib.Path(readme).read_text(encoding="utf-8")):
        if owner not in (language, "all"):
            continue
        if name:
            path = pathlib.Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(body, encoding="utf-8")
        else:
            lines += body
    if not lines:
        sys.exit(f"{readme} has no lines for {language}")
    pathlib.Path(folder, "lines.sh").write_text(lines, encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
