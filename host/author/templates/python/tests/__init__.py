"""Tests import what the component is built of: `src`, the SDK, and the contract's types."""

import sys
from pathlib import Path

_PROJECT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(_PROJECT / folder) for folder in ("src", "vendor", "vendor/bindings")]
