"""An export's settings, as Hydra composes them from configs/export.yaml."""

from __future__ import annotations

from dataclasses import dataclass

from viscritic.errors import ConfigError
from viscritic.runtime.bundle import Precision


@dataclass(frozen=True, slots=True)
class ExportConfig:
    """From which checkpoint, to which bundle.

    Attributes:
        checkpoint: folder that training wrote.
        samples: the sample folder it was trained on; its validation split sets temperature, threshold and band.
        tested: the sample folder on whose test split the model card's figures are measured, `benchmarks/outcomebench`
            say; None: that of `samples`.
        examples: folder of example pairs, of which the golden ones are taken.
        out: the bundle's folder; an older bundle there is replaced.
        name: what verdicts call the model.
        precision: "fp32" or "int8".
        unsure: the least sure fraction of the validation split, on which the critic shall not commit itself.
        parity: largest mean difference of success probabilities between torch and bundle that passes.
        parity_pairs: real pairs that are compared.
        cache: where arrays cut from the screens are kept.
    """

    checkpoint: str
    samples: str
    tested: str | None
    examples: str
    out: str
    name: str
    precision: Precision
    unsure: float
    parity: float
    parity_pairs: int
    cache: str

    def __post_init__(self) -> None:
        if not self.parity >= 0 or self.parity_pairs < 1 or not 0 <= self.unsure < 1:
            raise ConfigError(
                f"an export needs parity >= 0, parity_pairs >= 1 and 0 <= unsure < 1, got {self.parity}, "
                f"{self.parity_pairs}, {self.unsure}"
            )
