"""The fetch stage: upstream files into raw/, from a mirror or their own urls. `run` is the stage."""
