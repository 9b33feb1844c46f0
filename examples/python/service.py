"""A small product reference service (group C) with Python's standard library: python3 service.py"""

import json
import re
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, urlsplit

PRODUCTS = [
    {
        "upc": str(10_000_000_000 + at * 7_919).zfill(12),
        "category": "Cereal" if at % 2 == 0 else "Snacks",
        "name": f"Product {at}",
        "weeks": at % 20,
    }
    for at in range(40)
]
WINDOWS = {"1": 1, "4": 4, "13": 13}
BASE = "/PLATFORMAPI/prodRef/v1/"


def listed(products):
    return 200, {"items": [{key: each[key] for key in ("upc", "category")} for each in products]}


def answer(path, query):
    if path == BASE + "allCategories":
        return 200, {"categories": sorted({each["category"] for each in PRODUCTS})}
    if path == BASE + "allProducts":
        wanted = query.get("category")
        return listed([each for each in PRODUCTS if wanted is None or each["category"] == wanted])
    if path == BASE + "updateProducts":
        weeks = WINDOWS.get(query.get("weeks", "1"))
        if weeks is None:
            return 400, {"error": "weeks is 1, 4 or 13"}
        return listed([each for each in PRODUCTS if each["weeks"] < weeks])
    look_up = re.fullmatch(re.escape(BASE) + r"products/([^/]+)", path)
    found = [each for each in PRODUCTS if look_up and each["upc"] == unquote(look_up[1])]
    return (200, found[0]) if found else (404, {"error": "not found"})


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        target = urlsplit(self.path)
        query = {name: values[0] for name, values in parse_qs(target.query).items()}
        status, body = answer(target.path, query)
        content = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(f"http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()
