#!/usr/bin/env python3
"""Write AgentDojo's tasks and their ground truth as a suites file for `weir import`.

Weir ships no AgentDojo prompts or ground truth. Run this with your own installation:

    pip install agentdojo
    python export_suites.py --out suites.json

The file has, for each of the four classic suites, the user tasks (prompt, ground-truth calls) and the injection tasks
(goal, ground-truth calls). A task that is the same in several benchmark versions stands once, with their list; one that
changed stands once for each wording. Ground truth is computed on the default environment, without any injected text.
"""

import argparse
import importlib.metadata
import json
import sys

from agentdojo.task_suite.load_suites import get_suites

SUITES = ("workspace", "travel", "banking", "slack")
VERSIONS = ("v1", "v1.1", "v1.1.1", "v1.1.2", "v1.2", "v1.2.1", "v1.2.2")


def ground_truth(task, suite):
    """The calls that carry out a task, as plain JSON. Each task gets a fresh environment, as it may change it."""
    environment = suite.load_and_inject_default_environment({})
    if hasattr(task, "init_environment"):
        environment = task.init_environment(environment)
    calls = task.ground_truth(environment)
    return [{"function": call.function, "args": plain(call.args)} for call in calls]


def plain(value):
    """Ground truth holds plain values, pydantic models, enums and dates; JSON holds only the first."""
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json")
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if value is None or isinstance(value, (str, int, float, bool)):
        return getattr(value, "value", value)
    return getattr(value, "value", str(value))


def tool(function):
    """A tool's name and its parameters' JSON Schema."""
    schema = function.parameters.model_json_schema()
    return {"name": function.name, "parameters": schema}


def add(merged, version, entry):
    """Appends a task, or only its version where the same task is there already."""
    for known in merged:
        if all(known[key] == value for key, value in entry.items()):
            known["versions"].append(version)
            return
    merged.append({**entry, "versions": [version]})


def export(name, versions):
    """One suite over several benchmark versions."""
    merged = {"versions": [], "tools": [], "user_tasks": [], "injection_tasks": []}
    for version in versions:
        suite = get_suites(version).get(name)
        if suite is None:
            sys.exit(f"error: this agentdojo has no suite {name} in benchmark version {version}")
        merged["versions"].append(version)
        # The tools are the same in every version; the newest wins.
        merged["tools"] = [tool(function) for function in suite.tools]
        for task_id, task in suite.user_tasks.items():
            entry = {"id": task_id, "prompt": task.PROMPT, "ground_truth": ground_truth(task, suite)}
            add(merged["user_tasks"], version, entry)
        for task_id, task in suite.injection_tasks.items():
            entry = {"id": task_id, "goal": task.GOAL, "ground_truth": ground_truth(task, suite)}
            add(merged["injection_tasks"], version, entry)
    return merged


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--out", required=True, metavar="FILE", help="where to write the suites file")
    parser.add_argument(
        "--version",
        action="append",
        metavar="V",
        help=f"benchmark version to include, may be given several times (default: {' '.join(VERSIONS)})",
    )
    arguments = parser.parse_args()
    versions = list(dict.fromkeys(arguments.version or VERSIONS))
    document = {
        "generator": "export_suites.py",
        "agentdojo_package_version": importlib.metadata.version("agentdojo"),
        "license": "MIT (agentdojo)",
        "suites": {name: export(name, versions) for name in SUITES},
    }
    with open(arguments.out, "w", encoding="utf-8") as file:
        json.dump(document, file, ensure_ascii=False, indent=1)
        file.write("\n")


if __name__ == "__main__":
    main()
