"""Templates of sites whose routes are known: `python templates.py PROGRAM [COUNT,… [SEEDS]]`, as the facts of a record.

The sites are made by `sites.py` in `../shared/learn/templates` next to the checkout, or in the folder TEMPLATES. Half of COUNT URLs
of a site are learned, the others are assigned. Prints a line for each site, then means over the seeds: the adjusted Rand index
compared with the routes; F1 of the paths that at least five learned URLs have; templates for each route. The last line is the speed
of the program: URLs learned and assigned in a second of CPU time.
"""

import json
import os
import random
import re
import resource
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

HERE = Path(os.environ.get("TEMPLATES") or Path(__file__).resolve().parents[3] / "shared/learn/templates")
sys.path.insert(0, str(HERE))
import sites  # noqa: E402


def rand_index(routes, templates):
    """Returns the adjusted Rand index of two partitions."""
    pairs = lambda items: sum(count * (count - 1) / 2 for count in Counter(items).values())
    both, one, other = pairs(zip(routes, templates)), pairs(routes), pairs(templates)
    expected = one * other / (len(routes) * (len(routes) - 1) / 2)
    most = (one + other) / 2
    return (both - expected) / (most - expected) if most != expected else 1.0


def path(template):
    """Returns the path of a template or route, each class as `{}`."""
    segments = template.split("?")[0].split("/")[1:]
    text = "".join("/" + ("{*}" if "{*}" in segment else "{}" if "{" in segment else segment) for segment in segments)
    return re.sub(r"(/\{\})?/\{\*\}$", "/{*}", text or "/")


def run(program, folder, *words):
    """Returns the lines of the program, and its CPU time."""
    cpu = lambda: sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])
    begin = cpu()
    out = subprocess.run([program, *words], cwd=folder, capture_output=True, check=True).stdout.decode()
    return out.split("\n")[:-1], cpu() - begin


def measure(program, name, count, seed):
    """Returns the Rand index, F1, and the numbers of templates and routes."""
    pages = sites.site(name, count, seed)
    random.Random(seed).shuffle(pages)
    # Scans are learned, and not judged.
    learned, judged = pages[::2], [page for page in pages[1::2] if page[1] != "404"]
    with tempfile.TemporaryDirectory() as folder:
        for file, urls in (("learned", learned), ("judged", judged)):
            Path(folder, file).write_text("".join(f"{url}\n" for url, _ in urls))
        run(program, folder, "templates", "-q", "learned", "-o", "t")
        templates = [run(program, folder, "parts", "-q", "--templates", "t", "--get", "{template}", file)[0] for file in ("learned", "judged")]
    frequent = lambda texts: {text for text, found in Counter(texts).items() if found >= 5}
    want = frequent(path(route) for _, route in learned if route != "404")
    got = frequent(map(path, templates[0]))
    routes = [route for _, route in judged]
    return rand_index(routes, templates[1]), 2 * len(got & want) / max(1, len(got) + len(want)), len(set(templates[1])), len(set(routes))


def speed(program):
    """Returns the URLs learned and assigned in a second of CPU time."""
    urls = [f"{url}\n" for name in sites.TABLES for url, _ in sites.site(name, 4_000, 1)] * 5
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "urls").write_text("".join(urls))
        _, learned = run(program, folder, "templates", "-q", "urls", "-o", "t")
        _, assigned = run(program, folder, "parts", "-q", "--templates", "t", "--get", "{template}", "urls")
        return len(urls) / learned, len(urls) / assigned


if __name__ == "__main__":
    program = str(Path(sys.argv[1]).resolve())
    counts = [int(count) for count in sys.argv[2].split(",")] if len(sys.argv) > 2 else [1_000, 4_000, 20_000]
    seeds = range(1, 1 + int(sys.argv[3])) if len(sys.argv) > 3 else range(1, 4)
    facts = []
    for count in counts:
        rows = {(name, seed): measure(program, name, count, seed) for name in sites.TABLES for seed in seeds}
        for (name, seed), (index, f1, templates, routes) in rows.items():
            print(f"{name} {count} {seed}: {index:.3f} {f1:.3f} {templates}/{routes}", file=sys.stderr)
        for kind, is_web in (("REST", False), ("web", True)):
            found = [row for (name, _), row in rows.items() if name.endswith("-web") == is_web]
            mean = lambda values: round(sum(values) / len(found), 3)
            what = f"{kind} tables, {count // 2} of {count} URLs learned, seeds {seeds[0]} to {seeds[-1]}"
            facts.append({"what": f"{what}: mean ARI", "value": mean(row[0] for row in found), "unit": ""})
            facts.append({"what": f"{what}: mean F1 of path patterns", "value": mean(row[1] for row in found), "unit": ""})
            facts.append({"what": f"{what}: most templates per true route", "value": round(max(row[2] / row[3] for row in found), 2), "unit": ""})
    for what, value in zip(("learned", "assigned"), speed(program)):
        facts.append({"what": f"URLs {what} in a second of CPU time, with start and files", "value": round(value), "unit": ""})
    print(json.dumps(facts, indent=2))
