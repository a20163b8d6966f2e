"""Comm messages between code in the cells and the page, as widget libraries use them through the `comm` package."""

import sys

from . import library


class Comms:
    """Passes messages through; what they mean is between the two ends."""

    def __init__(self, channel):
        self._channel = channel
        self.manager = None

    def send(self, comm_id, msg_type, target_name=None, data=None, metadata=None):
        self._channel.send_marked(
            "comm",
            comm_id=comm_id,
            msg_type=msg_type,
            target_name=target_name,
            data=data or {},
            metadata=metadata or {},
        )

    def receive(self, message):
        """A message from the page for the `comm` package's manager, if a cell has loaded it."""
        if self.manager is None:
            return
        content = {name: message.get(name) for name in ("comm_id", "target_name", "data")}
        wrapped = {"content": content, "metadata": message.get("metadata") or {}, "buffers": []}
        handler = getattr(self.manager, "comm_" + str(message.get("msg_type", "msg")), None)
        try:
            if handler is not None:
                handler(None, None, wrapped)
        except Exception:
            library.load("traceback").print_exc(file=sys.stderr)


def install(hooks, comms):
    """Connects the `comm` package to the page once a cell loads it."""

    def adopt(module):
        from comm.base_comm import BaseComm, CommManager

        class PageComm(BaseComm):
            def publish_msg(self, msg_type, data=None, metadata=None, buffers=None, **keys):
                comms.send(self.comm_id, msg_type.replace("comm_", ""), keys.get("target_name"), data, metadata)

        comms.manager = CommManager()
        module.create_comm = PageComm
        module.get_comm_manager = lambda: comms.manager

    hooks.after_import("comm", adopt)
