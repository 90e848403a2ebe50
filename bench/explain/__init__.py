"""`bench explain`: one query, its gold, and what each system made of it. `collect` finds out, `show` prints."""
