# Every test is a case; when pytest ends the run is pushed.
import json, subprocess, pytest

RESULTS = []

@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    report = (yield).get_result()
    if report.when == "call" or report.failed or report.skipped:
        status = "error" if report.failed and report.when != "call" else report.outcome
        RESULTS.append({"name": item.name, "category": item.module.__name__, "status": status,
                        "duration_ms": report.duration * 1000, **dict(item.user_properties),
                        "failures": [report.longreprtext] if report.failed else []})

def pytest_sessionfinish():
    run = {"schema_version": 1, "suite": "pytest", "all_results": RESULTS}
    subprocess.run(["cairn", "eval", "push", "-"], input=json.dumps(run), text=True, check=True)
