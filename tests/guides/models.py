#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""models.py WORKLOOM SAMPLE_LOG MODELS.md: hold what the page on models says against the program.

The table of all models must have each model's kind, where its own parameters come from and what it
can leave out; the section of a model must name its parameters with their defaults, and exactly the
keys that documents of `workloom fit` have, whatever variant is fitted. Speaks TAP.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

# Fits that may write other keys than the one by default does.
VARIANTS = {
    "minh2012": ["variant=printed"],
    "mmwm": ["variant=improved"],
    "lublin2003": ["variant=mix", "runtimes=work", "cycle=expected-slots"],
    "poisson": ["day=two-part"],
    "gamma-daily": ["cycle=expected-interarrival"],
    "downey97": ["speedup=sevcik"],
}


def workloom(*arguments):
    done = subprocess.run([WORKLOOM, *arguments], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"Bail out! workloom {' '.join(arguments)}: {done.stderr}")
    return done.stdout


# ---- what the program says


def keys_of(value, path=""):
    """The paths of all values, items of an array as '[]'."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from keys_of(inner, f"{path}.{key}" if path else key)
    elif isinstance(value, list):
        if value and isinstance(value[0], (dict, list)):
            for inner in value:
                yield from keys_of(inner, path + "[]")
        else:
            yield path + "[]"
    else:
        yield path


def partly_known(log):
    """The log without every third requested time."""
    with open(log, encoding="utf-8") as file, open("partly.swf", "w", encoding="utf-8") as partly:
        for number, line in enumerate(file):
            words = line.split()
            if not line.startswith(";") and number % 3 == 0:
                words[8] = "-1"
            partly.write(line if line.startswith(";") else " ".join(words) + "\n")
    return "partly.swf"


def documents(model, log="log.swf"):
    for setting in [None] + VARIANTS.get(model, []):
        name = f"{model}:{setting}" if setting else model
        workloom("fit", "-q", name, log, "-o", "model.json")
        with open("model.json", encoding="utf-8") as file:
            yield json.load(file)


def parameters_of(model):
    """Names and defaults, from help."""
    text = workloom("help", model).partition("\nParameters ")[2].partition(f"\n{model} (predictor")[0]
    found = {}
    for block in re.split(r"\n  (?=\S)", text)[1:]:
        words = block.split()
        default = re.search(r"\(default ([^)]*)\)", " ".join(words))
        found[words[0].partition("=")[0]] = default.group(1) if default else ""
    return found


def traits_of(model):
    text = " ".join(workloom("help", model).split())
    found = re.search(r"\(--without\): ([a-z, ]*)\.", text)
    return found.group(1) if found else ""


# ---- what the page says


def cells(line):
    return [cell.strip().strip("`") for cell in line.strip().strip("|").split("|")]


def tables(text):
    """All tables of a text: the first title, and the rows."""
    for table in re.findall(r"(?:^\|.*\n)+", text, flags=re.M):
        rows = [cells(line) for line in table.splitlines()]
        yield rows[0][0], rows[2:]


def rows_of(text, title):
    return [row for first, rows in tables(text) if first == title for row in rows]


def section(page, model):
    found = re.search(rf"^### `{re.escape(model)}`\n(.*?)(?=^##|\Z)", page, flags=re.M | re.S)
    return found.group(1) if found else None


# ---- holding one against the other

failures = 0
tests = 0


def check(what, wanted, got):
    global failures, tests
    tests += 1
    good = wanted == got
    failures += not good
    print(f"{'ok' if good else 'not ok'} {tests} - {what}")
    if not good:
        print(f"# the program has: {wanted}\n# the page has:    {got}")


def own_keys(model, document):
    """Without what belongs to an arrival process, and batch and interactive jobs as combined ones."""
    for key in keys_of(document["parameters"]):
        if key.startswith("arrivals."):
            key = "arrivals"
        if model == "lublin2003":
            key = re.sub(r"^(batch|interactive)\.", "combined.", key)
        yield key


def check_model(page, info):
    model = info["name"]
    text = section(page, model)
    check(f"{model} has a section", True, text is not None)
    if text is None:
        return
    listed = {row[0]: row[1] for row in rows_of(text, "parameter")}
    check(f"parameters of {model}", parameters_of(model), listed)
    wanted = {key for document in documents(model) for key in own_keys(model, document)}
    check(f"keys of {model}", sorted(wanted), sorted(row[0] for row in rows_of(text, "key")))
    summary = [row for row in rows_of(page, "model") if row[0].startswith(f"[`{model}`]")]
    told = [info["kind"], info["parameters"], traits_of(model)]
    check(f"{model} in the table of all", [told], [row[1:4] for row in summary])


def check_common(page):
    text = page.partition("## What all have in common")[2].partition("## Workload models")[0]
    wanted = {"parameters", "estimates", "status"}
    for log in ("log.swf", partly_known("log.swf")):
        for document in documents("uniform", log):
            wanted |= {key for key in keys_of(document) if not key.startswith("parameters")}
    check("keys of all documents", sorted(wanted), sorted(row[0] for row in rows_of(text, "key")))


def main():
    with open(PAGE, encoding="utf-8") as file:
        page = file.read()
    subprocess.run([SAMPLE_LOG, "raw.swf", "6000"], check=True, stdout=subprocess.DEVNULL)
    workloom("clean", "-q", "raw.swf", "log.swf")
    models = json.loads(workloom("list", "models", "--json"))["models"]
    for info in models:
        check_model(page, info)
    check_common(page)
    headings = re.findall(r"^### `(.*)`$", page, flags=re.M)
    check("no other models", sorted(info["name"] for info in models), sorted(headings))
    print(f"1..{tests}")
    sys.exit(failures > 0)


WORKLOOM, SAMPLE_LOG, PAGE = (os.path.realpath(name) for name in sys.argv[1:4])
with tempfile.TemporaryDirectory(prefix="workloom-models.") as scratch:
    os.chdir(scratch)
    main()
