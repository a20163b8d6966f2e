"""IPython's own shell, for its magics only: cells are compiled, run and shown by the runner as ever."""

import subprocess
import sys


def make_shell(namespace):
    """Loads IPython (some 300 ms) and returns its shell on the namespace of the cells."""
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    class PageShell(InteractiveShell):
        def system(self, cmd):
            """Output goes where the cell's goes, not through a terminal."""
            self.user_ns["_exit_code"] = subprocess.call(self.var_expand(cmd, depth=1), shell=True)

        def enable_gui(self, gui=None):
            """There are no windows."""

    config = Config()
    # Its history needs a thread and a database; the notebook has its own.
    config.HistoryManager.enabled = False
    config.InteractiveShell.colors = "NoColor"
    kept = sys.excepthook, sys.displayhook
    shell = PageShell.instance(config=config, user_module=sys.modules["__main__"], user_ns=namespace)
    sys.excepthook, sys.displayhook = kept
    _page_help(shell)
    return shell


def _page_help(shell):
    """`?` shows its text in the page, where IPython would start a pager."""
    from IPython.core import page as pager
    from IPython.display import publish_display_data

    def show(text, *_args, **_kwargs):
        publish_display_data(text if isinstance(text, dict) else {"text/plain": str(text)})

    pager.page = show
    shell.set_hook("show_in_pager", lambda _shell, data, start=0, screen_lines=0: show(data), 99)
