"""Checks statistics against their schema, and expressions in which their fields are names: check.py FILE EXPRESSION..."""

import datetime
import json
import os
import re
import sys

import jsonschema

schema = json.load(open(os.environ["ROOT"] + "/docs/statistics.schema.json"))
statistics = json.load(open(sys.argv[1]))
jsonschema.Draft202012Validator(schema).validate(statistics)

names = dict(statistics, ratio=statistics.get("ratio"), error=statistics.get("error"), limitedBy=statistics.get("limitedBy"))
names["stage"] = {stage["name"]: stage for stage in statistics["stages"]}
laws = [
    "len(stage) == 6 + ('blocks' in stage)",
    "0 <= slotsInUseMean <= slotsInUseMax <= slots or files + failedFiles > 1",
    "(limitedBy is None) == (error is not None) == (outcome != 'success') and (error or 'limited') in verdict",
    # Who says how busy workers were says the same.
    "not re.search('worker.* busy', verdict) or re.search(r'busy (\\d+) %', verdict)[1] == str(int(100 * workerUtilisation + 0.5))",
    "abs(datetime.datetime.now(datetime.timezone.utc) - datetime.datetime.fromisoformat(run['date'])).total_seconds() < 600",
    "run['inputCount'] >= len(run['inputs']) and run['machine']['cpus'] >= 1 and workers <= max(run['threads'], 1)",
    "abs(contentBytesPerSecond * elapsedSeconds - contentBytes) <= 1e-6 * contentBytes + 1",
    "all(s['latencyP50Seconds'] <= s['latencyP99Seconds'] <= s['latencyMaxSeconds'] for s in stages)",
    "all(s['busySeconds'] <= 1.02 * elapsedSeconds * max(1, workers) + 0.01 for s in stages)",
    "stage['read']['bytes'] == bytesIn and stage['write']['bytes'] == bytesOut",
    "process['userSeconds'] + process['systemSeconds'] > 0 and process['peakMemoryBytes'] > 1 << 20",
]
for expression in laws + sys.argv[2:]:
    if not eval(expression, dict(names, re=re, datetime=datetime)):
        sys.exit(f"not so: {expression}\n{json.dumps(statistics)}")
