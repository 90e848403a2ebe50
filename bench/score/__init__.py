"""The score stage: runs held against gold. `run` is the stage, `judge` what a hit is worth."""
