#!/usr/bin/env python3
"""What the same coercion costs in pydantic v2, beside `cargo bench -p convoke-schema` in one run.

    orchestrator/schema/benches/pydantic_compare.py [--divan FILE]

Makes a virtual environment of its own in target/tools/venv-bench, runs the benchmark (or reads its output from FILE),
measures a pydantic model of the same message on the same values, and prints the ratios. The model mends the five
fields that the benchmark mends; it keeps no record of what it changed.
"""

import argparse
import os
import pathlib
import re
import statistics
import subprocess
import sys
import time
import venv

ROOT = pathlib.Path(__file__).resolve().parents[3]
VENV = ROOT / "target" / "tools" / "venv-bench"
REQUIREMENTS = ["pydantic>=2,<3"]
BATCH = 2_000
ROUNDS = 15
UNITS = {"ns": 1.0, "µs": 1e3, "ms": 1e6, "s": 1e9}


def inside_venv() -> None:
    """Goes on inside the environment that has pydantic."""
    if pathlib.Path(sys.prefix) == VENV:
        return
    if not (VENV / "bin" / "python").exists():
        venv.create(VENV, with_pip=True)
        subprocess.run([VENV / "bin" / "pip", "install", "--quiet", *REQUIREMENTS], check=True)
    os.execv(VENV / "bin" / "python", [str(VENV / "bin" / "python"), *sys.argv])


def models():
    """The messages Order and Nested of the benchmark."""
    from datetime import datetime
    from enum import Enum
    from typing import Annotated, Any

    from pydantic import AliasChoices, BaseModel, BeforeValidator, ConfigDict, Field

    class Side(Enum):
        SIDE_UNSPECIFIED = "SIDE_UNSPECIFIED"
        SIDE_BUY = "SIDE_BUY"
        SIDE_SELL = "SIDE_SELL"

    spellings = {}
    for side in Side:
        spellings[side.value.replace("_", "").lower()] = side.value
        spellings[side.value.removeprefix("SIDE_").lower()] = side.value

    def spelled(value: Any) -> Any:
        if isinstance(value, str) and value not in Side.__members__:
            plain = value.replace("_", "").replace("-", "").replace(" ", "").lower()
            return spellings.get(plain, value)
        return value

    class Order(BaseModel):
        model_config = ConfigDict(extra="forbid")
        id: Annotated[int, Field(ge=-(2**63), lt=2**63)]
        customer: Annotated[
            int, Field(ge=0, lt=2**64, validation_alias=AliasChoices("customer", "Customer", "CUSTOMER"))
        ]
        amount: Annotated[float, Field(ge=0, allow_inf_nan=False)]
        side: Annotated[Side, BeforeValidator(spelled)]
        placed_at: datetime
        lots: list[Annotated[int, Field(ge=-(2**31), lt=2**31)]]
        symbol: Annotated[str, Field(max_length=12)]
        urgent: bool
        retries: Annotated[int, Field(ge=-(2**31), lt=2**31)]
        note: str

    class Nested(BaseModel):
        model_config = ConfigDict(extra="forbid")
        orders: list[Order]

    return Order, Nested


def order(seed: int, mended: bool) -> dict:
    """The value that the benchmark makes of the same seed."""
    date = f"2024-03-0{1 + seed % 9}"
    return {
        "id": seed + 9_007_199_254_740_993,
        "Customer" if mended else "customer": seed,
        "amount": f"{seed}.25" if mended else seed + 0.25,
        "side": "buy" if mended else "SIDE_BUY",
        "placed_at": date if mended else f"{date}T09:00:00Z",
        "lots": [1, seed % 100],
        "symbol": f"SYM{seed % 1000}",
        "urgent": "yes" if mended else True,
        "retries": seed % 5,
        "note": f"as usual {seed}",
    }


def measure(runs: dict) -> dict[str, float]:
    """Nanoseconds for one value of each: medians over rounds that take turns."""
    found = {name: [] for name in runs}
    for _ in range(ROUNDS):
        for name, (run, values) in runs.items():
            started = time.perf_counter_ns()
            for value in values:
                run(value)
            found[name].append((time.perf_counter_ns() - started) / len(values))
    return {name: statistics.median(rounds) for name, rounds in found.items()}


def pydantic() -> dict[str, float]:
    Order, Nested = models()
    flat, nested = Order.model_validate, Nested.model_validate
    runs = {}
    for name, mended in (("clean", False), ("half_mended", True)):
        values = [order(seed, mended) for seed in range(BATCH)]
        assert flat(values[1]).customer == 1 and flat(values[1]).urgent is True
        runs[f"ten_fields_{name}"] = (flat, values)
        tens = [{"orders": values[at : at + 10]} for at in range(0, BATCH, 10)]
        runs[f"a_hundred_leaves_{name}"] = (nested, tens)
    return measure(runs)


def divan(text: str) -> dict[str, float]:
    """Medians in nanoseconds, by the benchmark's name; those of a module below its own."""
    found, module = {}, ""
    for line in text.splitlines():
        name = re.match(r"^([│ ]*)[├╰]─ (\w+)", line)
        if not name:
            continue
        if not name.group(1):
            module = ""
        columns = re.findall(r"([\d.]+) (ns|µs|ms|s)\b", line)
        if len(columns) >= 3:
            value, unit = columns[2]
            found[module + name.group(2)] = float(value) * UNITS[unit]
        else:
            module = f"{name.group(2)}::"
    return found


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--divan", type=pathlib.Path, help="what the benchmark printed; absent: it runs now")
    chosen = arguments.parse_args()
    inside_venv()
    if chosen.divan:
        printed = chosen.divan.read_text()
    else:
        command = ["cargo", "bench", "-p", "convoke-schema", "--bench", "coerce"]
        printed = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout
        print(printed)
    ours, theirs = divan(printed), pydantic()
    print(f"{'median of one value':32} {'convoke':>10} {'jsonschema':>18} {'pydantic':>18}")
    for name, pydantic_ns in theirs.items():
        own, judged = ours[name], ours.get(f"json_schema::{name}")
        beside = f"{judged:9.0f} ({judged / own:4.1f} ×)" if judged else "-"
        print(f"{name:32} {own:7.0f} ns {beside:>18} {pydantic_ns:9.0f} ({pydantic_ns / own:4.1f} ×)")


if __name__ == "__main__":
    main()
