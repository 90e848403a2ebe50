"""Runs that somebody wrote for themselves: found, checked whole, and scored without DVC."""
