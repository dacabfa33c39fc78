"""The author's kit: play, compare and check bots at home. It needs no Django."""
