"""The Python runner."""

import unittest

from conformance import Conformance
from languages import PYTHON, Python, is_installed


@unittest.skipUnless(is_installed(PYTHON), "Python is not installed.")
class Shared(Conformance, unittest.TestCase):
    language = Python
