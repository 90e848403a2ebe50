"""Votes of several people on the same items: how far they agree, whether that is enough, and the gold that follows.

votes         what a vote is; read from JSON Lines or CSV by `read`, under the categories that `declare` finds
coefficients  Fleiss' kappa, Krippendorff's alpha, Cohen's kappa, and their intervals
measure       the report on a set of votes; `gate` judges it, `gold` takes the majority's labels
upstream      votes that upstream datasets publish: reported, never judged
"""
