def decide(view):
    return view["legal"][0]
