"""Reads one request a line, {"path", "kind"}, and answers in order, one line
each, with {"errors": [...]}. Kinds: toml (tomllib), xml (expat), ini (what
configparser takes, with the strictness of the tool the file is for). It shares
no code with poly.
"""

import configparser
import json
import os
import sys
import xml.parsers.expat

try:
    import tomllib
except ImportError:
    tomllib = None


def toml(path):
    if tomllib is None:
        raise SystemExit("Python before 3.11 has no tomllib")
    with open(path, "rb") as f:
        tomllib.loads(f.read().decode("utf-8-sig"))


def expat(path):
    with open(path, "rb") as f:
        xml.parsers.expat.ParserCreate().Parse(f.read(), True)


def ini(path):
    name = os.path.basename(path)
    parser = configparser.RawConfigParser(strict=name != ".isort.cfg")
    if name in ("setup.cfg", "tox.ini", "pytest.ini"):
        parser.optionxform = str
    with open(path, encoding="utf-8") as f:
        parser.read_string(f.read())


kinds = {"toml": toml, "xml": expat, "ini": ini}
for line in sys.stdin:
    request = json.loads(line)
    errors = []
    try:
        kinds[request["kind"]](request["path"])
    except Exception as e:  # whatever the parser raises is a refusal
        errors.append(" ".join(str(e).split())[:160] or type(e).__name__)
    print(json.dumps({"errors": errors}), flush=True)
