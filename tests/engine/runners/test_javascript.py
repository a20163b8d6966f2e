"""The JavaScript runner."""

import unittest

from conformance import Conformance
from languages import NODE, JavaScript, is_installed


@unittest.skipUnless(is_installed(NODE), "Node.js is not installed.")
class Shared(Conformance, unittest.TestCase):
    language = JavaScript
