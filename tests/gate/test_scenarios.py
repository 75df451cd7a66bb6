"""Every scenario file of a folder: what `expect` names holds exactly after each cycle."""

import json


from tests.gate.scenario import found, run, wanted


def test_scenario(gate_case):
    case = json.loads(gate_case.read_text(encoding="utf-8"))
    for number, (expect, state) in enumerate(run(case), start=1):
        assert found(state, expect) == wanted(expect), f"cycle {number} of {gate_case.name} at {case['cycles'][number - 1]['at']}"
