"""The Bash runner."""

import unittest

from conformance import Conformance
from languages import BASH, Bash, is_installed


@unittest.skipUnless(is_installed(BASH), "Bash is not installed.")
class Shared(Conformance, unittest.TestCase):
    language = Bash
