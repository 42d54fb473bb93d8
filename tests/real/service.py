#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""service.py WORKLOOM VALUES: compare observed service with what tests/oracle/service.py made of the same logs.
Speaks TAP; skipped where there are no logs."""
import csv
import io
import json
import math
import os
import subprocess
import sys

COLUMNS = ('jobid,jobidraw,cluster,partition,qos,account,group,gid,user,uid,submit,eligible,start,end,elapsed,'
           'exitcode,state,nnodes,ncpus,reqcpus,reqmem,reqtres,alloctres,timelimit,nodelist,jobname')
workloom, values = sys.argv[1:3]
here = os.path.dirname(os.path.abspath(__file__))
folder = os.environ.get('WORKLOOM_TRACES', f'{here}/../../../shared/traces')


def run(log, *options):
    how = ['--from', 'sacct', '--columns', COLUMNS] if log.startswith('sacct') else []
    return subprocess.run([workloom, 'analyze', '-q', f'{folder}/{log}', *how, *options], check=True,
                          capture_output=True, text=True).stdout


def equal(a, b):
    """Tables have six digits."""
    if a == '' or b == 'nan':
        return a == '' and b == 'nan'
    return math.isclose(float(a), float(b), rel_tol=5.1e-6, abs_tol=1e-12)


wanted = {}
for line in open(values, encoding='utf-8'):
    log, table, key, *numbers = line.rstrip('\n').split('\t')
    wanted.setdefault((log, table), {})[key] = numbers
if not all(os.path.exists(f'{folder}/{log}') for log, _ in wanted):
    print(f'1..0 # SKIP the logs are not in {folder} (WORKLOOM_TRACES names the folder)')
    sys.exit(0)
print(f'1..{len(wanted)}')
failed = 0
for number, ((log, table), rows) in enumerate(wanted.items(), 1):
    if table == 'feature':
        features = json.loads(run(log, '--json', '--feature', 'service.,window.'))['features']
        got = {key: [repr(value)] for key, value in features.items()}
    else:
        how = ['--table', 'service'] if table == 'service' else ['--by', table]
        got = {row[0]: row[1:] for row in list(csv.reader(io.StringIO(run(log, *how, '--csv', '-'))))[1:]}
    wrong = [key for key in rows.keys() | got.keys() if key not in rows or key not in got or
             not all(map(equal, got[key], rows[key])) or len(got[key]) != len(rows[key])]
    print('not ok' if wrong else 'ok', number, f'- {log}: {table}, {len(rows)} rows')
    for key in sorted(wrong)[:5]:
        print(f'# {key}: {got.get(key)}, not {rows.get(key)}')
    failed += bool(wrong)
sys.exit(failed > 0)
