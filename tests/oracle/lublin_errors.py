#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints lublin_errors.inc for tests/unit/test_lublin.c: sampling errors of the parameters of lublin2003, by parametric
bootstrap. The published model makes 10,000 jobs a hundred times; each time it is fitted, and the deviation of a parameter
over the hundred fits is its standard error.

    python3 lublin_errors.py path/to/workloom > lublin_errors.inc

To stderr goes a table with the true values and the mean and deviation of the fits, by both kinds of estimators.
"""
import json
import statistics
import subprocess
import sys
import tempfile

JOBS, ROUNDS = 10_000, 100


def flatten(document, path=""):
    for key, value in document.items():
        if isinstance(value, dict):
            yield from flatten(value, f"{path}{key}.")
        elif isinstance(value, float):
            yield path + key, value


def parameters(text):
    """Those that jobs can tell: of shape and arar only the product."""
    document = json.loads(text)["parameters"]
    found = dict(flatten(document["combined"]))
    found["arrivals.peak.shape"] *= found.pop("arrivals.arar")
    return {key: value for key, value in found.items() if not key.endswith("limit")}


def rounds(workloom, variant, estimators, folder):
    log = f"{folder}/log.swf"
    for seed in range(1, ROUNDS + 1):
        subprocess.run([workloom, "generate", "lublin2003", "-p", f"variant={variant}", "--jobs", str(JOBS), "--seed",
                        str(1000 + seed), "--threads", "1", "-q", "-o", log], check=True)
        yield parameters(subprocess.run([workloom, "fit", "lublin2003", log, "-p", f"estimators={estimators}",
                                         "--threads", "1", "-q"], check=True, capture_output=True).stdout)


def main():
    workloom = sys.argv[1]
    print("/* SPDX-License-Identifier: GPL-3.0-or-later */")
    print("/* Made by tests/oracle/lublin_errors.py. */")
    with tempfile.TemporaryDirectory() as folder:
        for variant in "combined", "batch", "interactive":
            for estimators in "likelihood", "paper":
                fits = list(rounds(workloom, variant, estimators, folder))
                print(f"{variant}, {estimators}:", file=sys.stderr)
                for key in fits[0]:
                    values = [fit[key] for fit in fits]
                    mean, error = statistics.mean(values), statistics.stdev(values)
                    print(f"  {key:28} mean {mean:10.5g}  deviation {error:10.4g}", file=sys.stderr)
                if estimators == "paper":
                    continue
                print(f"static const struct standard_error {variant}_errors[] = {{")
                for key in fits[0]:
                    print(f'    {{"{key}", {statistics.stdev(fit[key] for fit in fits):.4g}}},')
                print("};")


if __name__ == "__main__":
    main()
