#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""queue_fit.py WORKLOOM VALIDATION: 'workloom queue fit' predicts the throughputs in the table of docs/validation/queueing.md.
Speaks TAP, one case a log; a log that is not at hand is skipped."""
import csv
import glob
import io
import os
import re
import subprocess
import sys

MODELS = ('mixed', 'constant', 'exponential', 'shmueli')
VERDICTS = {'unstable': 'no steady state', 'unfitted': 'no fit'}
DAY_S = 86400
workloom, document = sys.argv[1:3]
here = os.path.dirname(os.path.abspath(__file__))
folder = os.environ.get('WORKLOOM_TRACES', f'{here}/../../../shared/traces')


def table():
    """Rows of the table: {log: {load factor: [cells]}}."""
    rows, log, inside = {}, None, False
    for line in open(document, encoding='utf-8'):
        cells = [cell.strip() for cell in line.strip().strip('|').split('|')]
        inside = inside and line.startswith('|') or line.startswith('| log | users x | TBUOS')
        if inside and len(cells) == 7 and re.fullmatch(r'[0-9.]+', cells[1]):
            log = cells[0] or log
            rows.setdefault(log, {})[cells[1]] = cells[2:]
    return rows


def cell(row):
    if row['verdict'] != 'predicted':
        return VERDICTS[row['verdict']]
    return f"{float(row['throughput']) * DAY_S:.1f} ({100 * float(row['error']):+.0f} %)"


def fit(path, factors):
    """What the command predicts, in the form of the table."""
    out = subprocess.run([workloom, 'queue', 'fit', path, '-q', '--load-factor', ','.join(factors), '--csv', '-'],
                         check=True, capture_output=True, text=True).stdout
    cells = {}
    for row in csv.DictReader(io.StringIO(out)):
        simulated = f"{float(row['tbuos_throughput']) * DAY_S:.1f} ± {float(row['tbuos_throughput_half_width']) * DAY_S:.1f}"
        cells.setdefault(row['load_factor'], {'': simulated})[row['model']] = cell(row)
    return {factor: [of[''], *(of[model] for model in MODELS)] for factor, of in cells.items()}


wanted = table()
print(f'1..{len(wanted)}')
failed = not wanted
for number, (log, rows) in enumerate(wanted.items(), 1):
    found = glob.glob(f'{folder}/{log}*.swf.gz')
    if not found:
        print(f'ok {number} - {log} # SKIP not in {folder}')
        continue
    got = fit(found[0], rows)
    print(f"{'ok' if got == rows else 'not ok'} {number} - {log}")
    for factor in rows:
        if got.get(factor) != rows[factor]:
            print(f'# users x {factor}: {got.get(factor)}, not {rows[factor]}')
    failed |= got != rows
sys.exit(failed)
