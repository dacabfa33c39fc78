"""What keeps ranks from being gamed: one rating a program, linked accounts, odd results."""
