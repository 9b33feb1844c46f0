"""Tests of the client without the service: python3 -m unittest"""
import unittest
import urllib.error
import urllib.request

from client import PATH, Client
from simulator import Simulator


class SimulatorTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.simulator = Simulator("--products", "100")
        cls.addClassCleanup(cls.simulator.close)

    def setUp(self):
        self.simulator.control("POST", "/reset")


class ClientTest(SimulatorTest):
    def setUp(self):
        super().setUp()
        self.client = Client(self.simulator.url)

    def tearDown(self):
        verdict = self.simulator.control("GET", "/client")
        self.assertTrue(verdict["conforms"], verdict["findings"])

    def test_finds_a_product_without_its_leading_zeros(self):
        self.simulator.control("PUT", "/products/000000000017", {"description": "Oat flakes"})
        self.assertEqual(self.client.product(17)["description"], "Oat flakes")

    def test_a_product_that_changes_is_in_the_delta(self):
        self.simulator.control("POST", "/clock/advance", {"weeks": 1})
        self.assertNotIn("042100000177", self.client.changed(weeks=1))
        self.simulator.control("PATCH", "/products/042100000177", {"description": "Tea"})
        self.assertIn("042100000177", self.client.changed(weeks=1))

    def test_tries_again_when_the_service_is_busy(self):
        busy = {"response": {"status": 503}, "operation": f"GET {PATH}/updateProducts", "times": 2}
        self.simulator.control("POST", "/behaviors", busy)
        self.assertTrue(self.client.changed(weeks=4))
        statuses = [each["status"] for each in self.simulator.control("GET", "/requests")]
        self.assertEqual(statuses, [503, 503, 200])


class VerdictTest(SimulatorTest):
    """What the simulator says about wrong clients."""

    def finding_of(self, path, method="GET"):
        with self.assertRaises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(urllib.request.Request(self.simulator.url + path, method=method))
        refused.exception.close()
        verdict = self.simulator.control("GET", "/client")
        self.assertFalse(verdict["conforms"])
        (finding,) = verdict["findings"]
        problem = finding["problem"]
        self.assertTrue(refused.exception.headers["X-Mdwi-Problem"].startswith(problem["code"]))
        return problem

    def test_a_upc_of_11_digits(self):
        problem = self.finding_of(f"{PATH}/products/42100000177")
        self.assertEqual((problem["code"], problem["input"]), ("malformed", "upc"))

    def test_a_window_of_2_weeks(self):
        problem = self.finding_of(f"{PATH}/updateProducts?weeks=2")
        self.assertEqual((problem["code"], problem["input"]), ("malformed", "window"))

    def test_post_where_get_is_needed(self):
        problem = self.finding_of(f"{PATH}/allProducts", method="POST")
        self.assertEqual(problem["code"], "wrong-method")

    def test_a_mistyped_path(self):
        problem = self.finding_of(f"{PATH}/allProduct")
        self.assertEqual(problem["code"], "unknown-path")
        self.assertIn("allProducts", problem["detail"])


if __name__ == "__main__":
    unittest.main()
