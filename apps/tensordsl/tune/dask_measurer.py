"""Hands a tuner's orders to Dask workers: dask_measurer.py ADDRESS [RESOURCE].

A process of `tensordsl autoschedule --workers dask://ADDRESS/RESOURCE`. It speaks tensordsl's worker protocol
(src/measure/worker_protocol.h) on its standard input and output, and has each order done by some Dask worker that has
RESOURCE. A Dask worker runs `tensordsl worker --isolated`; its environment says which program that is (TENSORDSL_TOOL, else
tensordsl) and which device (TENSORDSL_DEVICE). Which worker, and what is done if it goes away, is Dask's business.
"""
import json
import sys

HEARTBEAT_SECONDS = 10
CONNECT_SECONDS = 30


def measure(order):
    """On a Dask worker: the answer to an order, or for None who measures here."""
    import os
    import subprocess
    import threading

    from distributed import get_worker

    worker = get_worker()
    lock = worker.__dict__.setdefault("tensordsl_lock", threading.Lock())
    with lock:
        process = worker.__dict__.get("tensordsl_process")
        if process is None or process.poll() is not None:
            command = [os.environ.get("TENSORDSL_TOOL", "tensordsl"), "worker", "--isolated"]
            try:
                process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            except OSError as error:
                return json.dumps({"error": f"a Dask worker cannot start {command[0]}: {error.strerror}; TENSORDSL_TOOL "
                                            "in its environment says where tensordsl is"})
            worker.tensordsl_process = process
            worker.tensordsl_hello = process.stdout.readline().rstrip("\n")
        if order is None or "hello" not in json.loads(worker.tensordsl_hello or "{}"):
            return worker.tensordsl_hello
        process.stdin.write(order + "\n")
        process.stdin.flush()
        for line in process.stdout:
            if "at" not in json.loads(line):
                return line.rstrip("\n")
        raise RuntimeError("tensordsl worker ended with an order in its hands")


def say(line):
    print(line, flush=True)


def main():
    try:
        import distributed
    except ImportError:
        say(json.dumps({"error": f"{sys.executable} has no package distributed (on Debian: apt-get install "
                                 "python3-distributed; else: pip install distributed)"}))
        return
    address, resource = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else ""
    try:
        client = distributed.Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError) as error:
        say(json.dumps({"error": f"cannot connect to a Dask scheduler at {address}: {error}"}))
        return
    needed = {resource: 1} if resource else {}
    if not any(all(worker["resources"].get(name, 0) >= count for name, count in needed.items())
               for worker in client.scheduler_info()["workers"].values()):
        say(json.dumps({"error": f"no Dask worker at {address} has the resource {resource}; start one with "
                                 f"`dask-worker {address} --nthreads 1 --resources {resource}=1`" if resource else
                                 f"the Dask scheduler at {address} has no worker; start one with "
                                 f"`dask-worker {address} --nthreads 1`"}))
        return

    def answer_to(order):
        future = client.submit(measure, order, resources=needed or None, retries=3, pure=False)
        while True:
            try:
                return future.result(timeout=HEARTBEAT_SECONDS)
            except distributed.TimeoutError:
                number = json.loads(order)["measure"]["id"] if order else 0
                say(json.dumps({"at": {"id": number, "program": 0, "doing": "waiting for Dask"}}))

    try:
        say(answer_to(None))
        for line in sys.stdin:
            say(answer_to(line.rstrip("\n")))
    except Exception as error:  # Whatever Dask raises, the tuner is to know.
        say(json.dumps({"error": f"Dask: {error}"}))


if __name__ == "__main__":
    main()
