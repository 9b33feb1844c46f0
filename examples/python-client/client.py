"""A small client of product reference data (group C), with Python's standard library."""
import json
import urllib.error
import urllib.parse
import urllib.request

PATH = "/PLATFORMAPI/prodRef/v1"
ATTEMPTS = 3


class Client:
    def __init__(self, base_url):
        self.base_url = base_url

    def product(self, upc):
        """The product with a UPC, which may lack its leading zeros."""
        return self._get(f"/products/{str(upc).zfill(12)}")

    def changed(self, weeks):
        """The UPCs of the products that changed in the last 1, 4 or 13 weeks."""
        return [each["upc"] for each in self._get("/updateProducts", weeks=weeks)["products"]]

    def _get(self, path, **query):
        url = f"{self.base_url}{PATH}{path}?{urllib.parse.urlencode(query)}"
        for attempt in range(1, ATTEMPTS + 1):
            try:
                with urllib.request.urlopen(url) as response:
                    return json.load(response)
            except urllib.error.HTTPError as error:
                error.close()
                if error.code != 503 or attempt == ATTEMPTS:
                    raise
