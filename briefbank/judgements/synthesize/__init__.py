"""Questions made up for passages of the bank by the local language model, as a judged collection to learn from."""

from briefbank.judgements.synthesize.run import SynthesisReport, synthesize, tools_for

__all__ = ["SynthesisReport", "synthesize", "tools_for"]
