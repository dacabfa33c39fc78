def decide(view):
    return view["legal"][-1]
