"""What a run found."""

from dataclasses import dataclass, field


@dataclass
class Report:
    """How many vectors passed, and why each of the others failed."""

    passed: list[str] = field(default_factory=list)
    failures: list[tuple[str, str]] = field(default_factory=list)

    def record(self, name: str, reason: str | None) -> None:
        """Notes a vector; a name that was seen before is a failure, for a report must name one vector."""
        if reason is None and (name in self.passed or any(name == failed for failed, _ in self.failures)):
            reason = "another vector has this id"
        if reason is None:
            self.passed.append(name)
        else:
            self.failures.append((name, reason))

    def __str__(self) -> str:
        lines = [f"failed: {name}: {reason}" for name, reason in self.failures]
        return "\n".join([*lines, f"{len(self.passed)} passed, {len(self.failures)} failed"])
