"""Do agents get better by being verified? Base agents on MiniWoB++, compared on the same seeds by verifier."""
