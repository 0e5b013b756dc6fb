"""autoschedule on a local Dask cluster of three workers, one of which is killed: check_dask.py TENSORDSL MODEL.

Ends with 77 where Dask is not installed.
"""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

try:
    import distributed
except ImportError:
    # Debian's package is of Debian's Python, which need not be the first.
    if sys.executable != "/usr/bin/python3" and os.path.exists("/usr/bin/python3"):
        os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.argv])
    print("check_dask: skipped: there is no package distributed")
    sys.exit(77)


def run(command, **more):
    return subprocess.run(command, capture_output=True, text=True, **more)


def check(condition, what):
    if not condition:
        sys.exit(f"check_dask: {what}")


tool, model = (os.path.abspath(path) for path in sys.argv[1:3])
folder = pathlib.Path(tempfile.mkdtemp(prefix="tensordsl-dask-"))
environment = os.environ | {"TENSORDSL_TOOL": tool, "PATH": "/usr/bin:" + os.environ["PATH"]}
processes = []
try:
    python = [sys.executable, "-m"]
    scheduler_file = folder / "scheduler.json"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "env": environment, "cwd": folder}
    processes.append(subprocess.Popen([*python, "distributed.cli.dask_scheduler", "--port", "0", "--no-dashboard",
                                       "--scheduler-file", str(scheduler_file)], **quiet))
    while not scheduler_file.exists() or not scheduler_file.read_text().endswith("}"):
        check(processes[0].poll() is None, "the scheduler did not start")
        time.sleep(0.1)
    address = json.loads(scheduler_file.read_text())["address"]
    workers = []
    for _ in range(3):
        workers.append(subprocess.Popen([*python, "distributed.cli.dask_worker", address, "--nthreads", "1", "--no-nanny",
                                         "--no-dashboard", "--resources", "here=1"], **quiet))
    processes += workers
    with distributed.Client(address) as client:
        client.wait_for_workers(3)
    place = "dask://" + address.removeprefix("tcp://")
    command = [tool, "autoschedule", model, "--random-weights", "-o", str(folder / "out"), "--trials", "24", "--json", "--db"]

    missing = run([*command, str(folder / "none.db"), "--workers", place + "/elsewhere"], env=environment)
    check(missing.returncode == 2 and "has the resource elsewhere" in missing.stderr, missing.stderr)

    tuner = subprocess.Popen([*command, str(folder / "t.db"), "--workers", ",".join([place + "/here"] * 3)], env=environment,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(5)
    workers[0].send_signal(signal.SIGKILL)
    out, err = tuner.communicate()
    check(tuner.returncode == 0, f"autoschedule ended with {tuner.returncode}: {err}")
    report = json.loads(out)
    check(report["trials"] >= 20, f"only {report['trials']} trials")
    failures = [failure for kernel in report["kernels"] for failure in kernel["failures"]]
    check(not any("worker exited" in failure for failure in failures), f"a schedule was blamed: {failures}")
    listed = json.loads(run([tool, "db", "list", "--db", str(folder / "t.db"), "--json"]).stdout)
    check(sum(kernel["timed"] + kernel["failed"] for kernel in listed["kernels"]) == report["trials"], "records are missing")
    print(f"check_dask: {report['trials']} trials by three workers, one of which was killed")
finally:
    for process in processes:
        process.kill()
        process.wait()
    subprocess.run(["rm", "-rf", str(folder)])
