"""The verify stage: raw files re-hashed and opened, and the manifest written. `run` is the stage."""
