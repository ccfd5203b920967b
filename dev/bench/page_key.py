"""Measures a canonical form as a key of pages: `page_key.py URLID RECORD FORM… -- CRAWL.tsv…`

Each crawl is a table with the columns url, status, redirect, time and text, the digest of the visible text. `urlid rules test`
judges the whole crawl. A skip is wrong if the content differs from the content of the first URL with the key. Precision is the
share of right skips. Recall is the share of the URLs with a known content that were skipped correctly. Prints a row for each crawl
and the total, and writes the record.
"""

import json
import subprocess
import sys
from pathlib import Path

program, record, *rest = sys.argv[1:]
forms, crawls = rest[: rest.index("--")], [Path(path) for path in rest[rest.index("--") + 1 :]]
facts = []


def row(name, numbers):
    """Prints the numbers of a crawl or of all."""
    precision, recall = f"{numbers['precision']:.4f}", f"{numbers['recall']:.3f}"
    print("", name, numbers["urls"], numbers["skipped"], numbers["wrong"], precision, recall, numbers["lost"], "", sep=" | ")


for form in forms:
    total = {"urls": 0, "skipped": 0, "judged": 0, "wrong": 0, "lost": 0, "duplicates": 0}
    for crawl in crawls:
        command = [program, "rules", "test", "--as", form, "--column", "url", "--content", "text", "--format", "json", str(crawl)]
        numbers = json.loads(subprocess.run(command, capture_output=True, text=True, check=False).stdout)
        right = numbers["judged"] - numbers["wrong"]
        # Recall is right skips divided by duplicates, so the number of duplicates follows from it.
        numbers["duplicates"] = round(right / numbers["recall"]) if numbers["recall"] else 0
        for name in total:
            total[name] += numbers[name]
        row(crawl.stem, numbers)
    precision = 1 - total["wrong"] / total["judged"]
    recall = (total["judged"] - total["wrong"]) / total["duplicates"]
    row(form, {**total, "precision": precision, "recall": recall})
    for what, value in [("precision", precision), ("recall", recall), ("wrong", total["wrong"]), ("contents lost", total["lost"])]:
        facts.append({"what": f"{len(crawls)} crawls, {form}: {what}", "value": round(value, 4), "unit": ""})
date = subprocess.run(["date", "+%F"], capture_output=True, text=True, check=True).stdout.strip()
Path(record).write_text(
    json.dumps({"verb": "page-key", "date": date, "machine": "2 cores", "figures": [], "rows": [], "facts": facts}, indent=2) + "\n"
)
