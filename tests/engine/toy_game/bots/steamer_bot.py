def decide(view):
    want = view["plate"] % 4
    return f"take{want}" if f"take{want}" in view["legal"] else view["legal"][0]
