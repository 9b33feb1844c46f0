"""The simulator of the interface in a process of its own, steered over HTTP."""
import json
import os
import shlex
import subprocess
import urllib.request


class Simulator:
    """Runs `mdwi simulate`. The environment variable MDWI names another command than `npx mdwi`."""

    def __init__(self, *options):
        command = shlex.split(os.environ.get("MDWI", "npx mdwi"))
        self.process = subprocess.Popen(
            [*command, "simulate", "--port", "0", "--control-port", "0", "--exit-on-stdin-close", *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
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
        # The simulator also ends when this program ends without closing it.
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()
