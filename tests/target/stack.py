"""Stack of call trees from what gcc's -fcallgraph-info=su writes."""

import re

# Deepest stack of the C library's functions that kernels call (newlib on a Cortex-M4, measured with a painted
# stack, rounded up to a multiple of 8). Anything else that is external is an error.
LIBRARY = {"memcpy": 16, "memmove": 16, "memset": 24, "expf": 40, "tanhf": 48}


class StackError(Exception):
    pass


class CallGraph:
    """Frames (bytes) and calls of one translation unit, by function name."""

    def __init__(self, text):
        self.frames, self.calls = {}, {}
        for node in re.finditer(r'node: \{ title: "([^"]+)" label: "([^"]*)"', text):
            usage = re.search(r"(\d+) bytes \((static|dynamic|dynamic,bounded)\)", node[2])
            if usage:
                self.frames[self.plain(node[1])] = int(usage[1])
                if usage[2] == "dynamic":
                    raise StackError(f"{node[1]} has a frame of unknown size")
        for edge in re.finditer(r'edge: \{ sourcename: "([^"]+)" targetname: "([^"]+)"', text):
            self.calls.setdefault(self.plain(edge[1]), set()).add(self.plain(edge[2]))

    @staticmethod
    def plain(title):
        """Static functions carry their file's name in front."""
        return title.rsplit(":", 1)[-1]

    def depth(self, function, above=()):
        """Bytes of the deepest path from `function` down, its own frame included."""
        if function in above:
            raise StackError(f"{function} is recursive")
        if function not in self.frames:
            if function in LIBRARY:
                return LIBRARY[function]
            if function.startswith("__aeabi_"):
                return 64
            raise StackError(f"the stack of {function} is unknown")
        deepest = max((self.depth(f, (*above, function)) for f in self.calls.get(function, ())), default=0)
        return self.frames[function] + deepest

    def matching(self, name):
        """The function and its clones: name, name.constprop.0, name.isra.0, ..."""
        return [f for f in self.frames if f == name or f.startswith(name + ".")]
