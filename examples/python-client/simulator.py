"""The simulator of the interface in a process of its own, steered over HTTP."""
import json
import os
import shlex
import signal
import subprocess
import urllib.request


class Simulator:
    """Runs `mdwi simulate`. The environment variable MDWI names another command than `npx mdwi`."""

    def __init__(self, *options):
        command = shlex.split(os.environ.get("MDWI", "npx mdwi"))
        self.process = subprocess.Popen(
            [*command, "simulate", "--port", "0", "--control-port", "0", *options],
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        self.url = self.process.stdout.readline().strip()
        self.control_url = self.process.stdout.readline().strip().removeprefix("control: ")

    def control(self, method, path, body=None):
        """Steers or inspects the simulator, e.g. control("POST", "/clock/advance", {"weeks": 1})."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.control_url + path, data, method=method)
        with urllib.request.urlopen(request) as response:
            text = response.read()
        return json.loads(text) if text else None

    def close(self):
        # npx and the command that it starts are one process group.
        os.killpg(self.process.pid, signal.SIGINT)
        self.process.wait()
        self.process.stdout.close()
