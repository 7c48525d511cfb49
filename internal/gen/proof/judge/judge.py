"""Reads one request a line, {"id", "path", "kind"}, and answers in order, one
line each, with {"id", "errors": [...]}. Kinds: yaml, json; json counts a
duplicate name as an error. The second opinion: it shares no code with poly.
"""

import json
import sys

try:
    import yaml
except ImportError:
    yaml = None


class Duplicate(ValueError):
    pass


def unique(pairs):
    seen = set()
    for key, _ in pairs:
        if key in seen:
            raise Duplicate(f"duplicate name {key!r}")
        seen.add(key)
    return dict(pairs)


def constant(name):
    raise ValueError(f"{name} is not JSON")


def judge(kind, text):
    try:
        if kind == "json":
            json.loads(text, object_pairs_hook=unique, parse_constant=constant)
        elif yaml is None:
            return ["PyYAML is not installed"]
        else:
            for _ in yaml.compose_all(text, Loader=yaml.SafeLoader):
                pass
    except (ValueError, RecursionError) as e:
        return [str(e)[:120] or type(e).__name__]
    except yaml.YAMLError as e:
        return [" ".join(str(e).split())[:160]]
    return []


for line in sys.stdin:
    request = json.loads(line)
    with open(request["path"], encoding="utf-8-sig", newline="") as f:
        content = f.read()
    answer = {"id": request["id"], "errors": judge(request["kind"], content)}
    print(json.dumps(answer), flush=True)
