"""What other tools see of an export, as JSON on standard output.

    read.py inspect FOLDER      Inspect AI: the logs, the data frames, the transcripts
    read.py dump FILE           Inspect AI: `inspect log dump`
    read.py view FOLDER         Inspect AI: `inspect view`, asked by HTTP
    read.py otlp FILE           OpenTelemetry: each line against the protocol's own definition
    read.py eee FOLDER          Every Eval Ever: its validator

A warning of these tools is an error here; one about pandas' own future is not.
"""

import base64
import json
import logging
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request
import warnings
from pathlib import Path


def inspect(folder):
    import pandas

    warnings.simplefilter("error")
    warnings.simplefilter("ignore", DeprecationWarning)
    warnings.simplefilter("ignore", pandas.errors.PandasChangeWarning)
    from inspect_ai.analysis import evals_df, events_df, messages_df, samples_df
    from inspect_ai.log import list_eval_logs, read_eval_log

    told = []
    handler = logging.Handler(logging.WARNING)
    handler.emit = lambda record: told.append(record.getMessage())
    logging.getLogger().addHandler(handler)

    logs, samples = [], []
    for info in list_eval_logs(folder):
        header = read_eval_log(info, header_only=True)
        log = read_eval_log(info)
        logs.append(
            {
                "task": log.eval.task,
                "solver": log.eval.solver,
                "model": log.eval.model,
                "policy_sha256": log.eval.metadata.get("policy_sha256"),
                "status": log.status,
                "samples": len(log.samples),
                "total": header.results.total_samples,
                "epochs": log.eval.config.epochs,
                "dataset": log.eval.dataset.samples,
                "means": {s.name: s.metrics["mean"].value for s in log.results.scores if "mean" in s.metrics},
                "scored": {s.name: [s.scored_samples, s.unscored_samples] for s in log.results.scores},
            }
        )
        for sample in log.samples:
            kinds = {}
            for event in sample.events:
                kinds[event.event] = kinds.get(event.event, 0) + 1
            models = [event for event in sample.events if event.event == "model"]
            times = [event.timestamp.isoformat() for event in sample.events]
            samples.append(
                {
                    "unit": sample.uuid,
                    "kinds": kinds,
                    "unique": len({event.uuid for event in sample.events}) == len(sample.events),
                    "in_order": times == sorted(times),
                    # What a turn had read is what came before it in the conversation.
                    "heard": [[message.text for message in event.input] for event in models],
                    "answers": [event.output.completion for event in models],
                    "messages": [message.text for message in sample.messages],
                    "approvals": [
                        [event.decision, event.call.function, event.call.arguments, event.explanation]
                        for event in sample.events
                        if event.event == "approval"
                    ],
                    "tools": [
                        [event.function, event.error.type if event.error else None]
                        for event in sample.events
                        if event.event == "tool"
                    ],
                }
            )
    table = samples_df(folder, strict=True)
    rows = []
    for row in table.to_dict("records"):
        scores = {key[len("score_") :]: value for key, value in row.items() if key.startswith("score_")}
        rows.append(
            {
                "unit": row["sample_id"],
                "id": row["id"],
                "epoch": row["epoch"],
                "cluster": row["metadata_cluster"],
                "seed": row.get("metadata_seed"),
                "scores": {key: value for key, value in scores.items() if not missing(value)},
            }
        )
    return {
        "logs": logs,
        "samples": samples,
        "samples_df": rows,
        "evals_df": len(evals_df(folder, strict=True)),
        # It takes a conversation from the turns of models, and fails where no sample has any.
        "messages_df": len(messages_df(folder, strict=True)) if any(s["answers"] for s in samples) else 0,
        "events_df": len(events_df(folder, strict=True)),
        "warnings": told,
    }


def missing(value):
    return value is None or value != value


def dump(file):
    command = [Path(sys.executable).with_name("inspect"), "log", "dump", file]
    log = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    return {"version": log["version"], "status": log["status"], "samples": len(log["samples"])}


def view(folder):
    # The system gives a port that is free; another program may take it before `inspect view` does, so that is tried again.
    for _ in range(5):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        command = [Path(sys.executable).with_name("inspect"), "view", "start", "--log-dir", folder]
        with tempfile.TemporaryDirectory() as home:
            server = subprocess.Popen(
                [*command, "--host", "127.0.0.1", "--port", str(port)],
                env={**os.environ, "HOME": home, "XDG_DATA_HOME": home},
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            try:
                while server.poll() is None:
                    try:
                        return ask(f"http://127.0.0.1:{port}")
                    except urllib.error.URLError:
                        time.sleep(0.2)
            finally:
                server.terminate()
                server.wait()
    raise SystemExit("inspect view does not start")


def ask(base):
    def get(path):
        with urllib.request.urlopen(base + path) as answer:
            return answer.read()

    assert b"<html" in get("/").lower()
    files = json.loads(get("/api/logs"))["files"]
    log = json.loads(get("/api/logs/" + urllib.parse.quote(files[0]["name"], safe="")))
    return {"listed": [file["name"].rsplit("/", 1)[1] for file in files], "samples": len(log["samples"])}


def otlp(file):
    from google.protobuf import json_format
    from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

    traces = []
    with open(file, encoding="utf-8") as lines:
        for line in lines:
            # The protocol has its identifiers in hex, where protobuf's own JSON has base64; all else is protobuf's. An
            # unknown field is an error.
            request = json.loads(line, object_hook=identifiers)
            request = json_format.ParseDict(request, ExportTraceServiceRequest())
            spans = [s for r in request.resource_spans for c in r.scope_spans for s in c.spans]
            known = {span.span_id: span for span in spans}
            parents = [known.get(span.parent_span_id) for span in spans if span.parent_span_id]
            children = [span for span in spans if span.parent_span_id]
            root = [span for span in spans if not span.parent_span_id]
            traces.append(
                {
                    "trace": {span.trace_id.hex() for span in spans}.pop(),
                    "one_trace": len({span.trace_id for span in spans}) == 1,
                    "unique": len(known) == len(spans),
                    "roots": len(root),
                    "whole": all(parents),
                    "within": all(
                        p.start_time_unix_nano <= c.start_time_unix_nano < c.end_time_unix_nano <= p.end_time_unix_nano
                        for p, c in zip(parents, children)
                    ),
                    "names": [span.name for span in spans],
                    "attributes": attributes(root[0]),
                    "operations": [attributes(span).get("gen_ai.operation.name") for span in spans],
                    "scores": {
                        attributes(event)["gen_ai.evaluation.name"]: attributes(event).get("gen_ai.evaluation.score.value")
                        for event in root[0].events
                    },
                    "calls": [
                        [a["gen_ai.tool.name"], a.get("weir.decision"), a.get("error.type")]
                        for a in map(attributes, spans)
                        if a.get("gen_ai.operation.name") == "execute_tool"
                    ],
                }
            )
    return traces


def identifiers(object):
    for name, length in ("traceId", 32), ("spanId", 16), ("parentSpanId", 16):
        if name in object:
            assert len(object[name]) == length, object[name]
            object[name] = base64.b64encode(bytes.fromhex(object[name])).decode()
    return object


def attributes(of):
    return {a.key: getattr(a.value, a.value.WhichOneof("value"), None) for a in of.attributes if is_plain(a)}


def is_plain(attribute):
    return attribute.value.WhichOneof("value") in ("string_value", "bool_value", "int_value", "double_value")


def eee(folder):
    ran = subprocess.run(
        [sys.executable, "-m", "every_eval_ever", "validate", "--format", "json", "data/*/*/*/*.json*"],
        cwd=folder,
        capture_output=True,
        text=True,
    )
    return {"exit": ran.returncode, "said": ran.stdout + ran.stderr}


if __name__ == "__main__":
    print(json.dumps({"inspect": inspect, "dump": dump, "view": view, "otlp": otlp, "eee": eee}[sys.argv[1]](sys.argv[2])))
