"""Tells, of each text on standard input, its abstract syntax.

The input is texts, each after a line with its length in bytes. The output is a
line for each: "-" if it is no Python, else a digest of the syntax that ignores
what a formatter may change.
"""
import ast
import hashlib
import sys
import warnings

warnings.simplefilter("ignore")
sys.setrecursionlimit(20000)


def cleaned(text):
    lines = text.split("\n")
    out = [lines[0].strip()]
    for line in lines[1:]:
        line = line.rstrip()
        body = line.lstrip(" \t\f")
        width = 0
        for c in line[: len(line) - len(body)]:
            if c == "\t":
                width = (width // 8 + 1) * 8
            elif c == " ":
                width += 1
        out.append(" " * width + body)
    margin = min((len(x) - len(x.lstrip(" ")) for x in out[1:] if x), default=0)
    out[1:] = [x[margin:] for x in out[1:]]
    return "\n".join(out).strip("\n")


def flat(targets):
    for t in targets:
        if isinstance(t, (ast.Tuple, ast.List)):
            yield from flat(t.elts)
        else:
            yield t


def digest(text):
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant):
            node.kind = None
        elif isinstance(node, ast.Delete):
            node.targets = list(flat(node.targets))
        elif isinstance(node, ast.Call):
            node.args = sorted(node.args + node.keywords, key=lambda x: (x.lineno, x.col_offset))
            node.keywords = []
        elif isinstance(node, ast.ClassDef):
            node.bases = sorted(node.bases + node.keywords, key=lambda x: (x.lineno, x.col_offset))
            node.keywords = []
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)) and node.body:
            first = node.body[0]
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
                first.value.value = ["doc", cleaned(first.value.value)]
    return hashlib.sha256(ast.dump(tree).encode("utf-8", "surrogatepass")).hexdigest()


def main():
    source = sys.stdin.buffer
    print("%d.%d" % sys.version_info[:2])
    while head := source.readline():
        text = source.read(int(head))
        try:
            print(digest(text))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            print("-")


main()
