"""The pages of the site."""

from django.contrib.auth import views as auth
from django.urls import path

from ladder.views import (
    accounts,
    boards,
    bots,
    challenges,
    docs,
    games,
    home,
    matches,
    search,
    theatre,
    uploads,
    versus,
)

urlpatterns = [
    path("", home.home, name="home"),
    path("theme/", home.theme, name="theme"),
    path("games/<slug:slug>/", games.game, name="game"),
    path("games/<slug:slug>/rules/", games.rules, name="rules"),
    path("games/<slug:slug>/starter.py", games.starter, name="starter"),
    path("boards/<slug:slug>/<int:seats>/", boards.board, name="board"),
    path("bots/<int:pk>/", bots.bot, name="bot"),
    path("bots/<int:pk>/act/", bots.act, name="bot-act"),
    path("bots/<int:pk>/upload/", uploads.upload_version, name="upload-version"),
    path("bots/<int:pk>/trial/", challenges.trial_new, name="trial-new"),
    path("bots/<int:pk>/vs/", versus.choose, name="head-to-head-choose"),
    path("bots/<int:a>/vs/<int:b>/", versus.head_to_head, name="head-to-head"),
    path("bots/<int:pk>/source/<int:version>/", bots.bot_source, name="bot-source"),
    path("matches/", matches.matches, name="matches"),
    path("matches/<int:pk>/", matches.match, name="match"),
    path("matches/<int:pk>/verify/", matches.verify_match, name="verify"),
    path("matches/<int:pk>/replays.zip", matches.match_download, name="match-download"),
    path(
        "matches/<int:pk>/plays/<int:index>/replay.json.gz",
        matches.replay_download,
        name="replay-download",
    ),
    path("upload/", uploads.upload, name="upload"),
    path("versions/<int:pk>/", uploads.version, name="version"),
    path("challenge/", challenges.challenge, name="challenge"),
    path("trials/<int:pk>/", challenges.trial, name="trial"),
    path("trials/<int:pk>/cancel/", challenges.trial_cancel, name="trial-cancel"),
    path("my-bots/", bots.my_bots, name="my-bots"),
    path("account/", accounts.account, name="account"),
    path("account/tokens/", accounts.tokens, name="tokens"),
    path("account/password/", accounts.PasswordChange.as_view(), name="password-change"),
    path("sign-up/", accounts.sign_up, name="sign-up"),
    path("sign-in/", accounts.SignIn.as_view(), name="sign-in"),
    path("sign-out/", auth.LogoutView.as_view(), name="sign-out"),
    path("password/", accounts.PasswordReset.as_view(), name="password-reset"),
    path(
        "password/sent/",
        auth.PasswordResetDoneView.as_view(template_name="ladder/password_reset_done.html"),
        name="password-reset-done",
    ),
    path(
        "password/<uidb64>/<token>/",
        accounts.PasswordResetConfirm.as_view(),
        name="password-reset-confirm",
    ),
    path("search/", search.search, name="search"),
    path("users/<str:name>/", search.user, name="user"),
    path("about/", docs.about, name="about"),
    path("styleguide/", docs.styleguide, name="styleguide"),
    path("docs/", docs.docs, name="docs"),
    path("docs/<slug:name>/", docs.doc, name="doc"),
]

# The replay theatre.
urlpatterns += [
    path("matches/<int:pk>/plays/<int:index>/", theatre.theatre, name="theatre"),
    path("matches/<int:pk>/plays/<int:index>/frames.json", theatre.frames, name="frames"),
    path("matches/<int:pk>/plays/<int:index>/position.json.gz", theatre.position, name="position"),
]
