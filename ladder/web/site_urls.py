"""The pages of the site."""

from django.contrib.auth import views as auth
from django.urls import path, register_converter
from django.urls.converters import IntConverter

from ladder.web.account import own
from ladder.web.account import views as accounts
from ladder.web.board import history as histories
from ladder.web.board import views as boards
from ladder.web.bot import analysis, publishing, remote, source, uploads, versus
from ladder.web.bot import views as bots
from ladder.web.challenge import views as challenges
from ladder.web.datasets import views as datasets
from ladder.web.docs import views as docs
from ladder.web.game import views as games
from ladder.web.home import crawlers, search
from ladder.web.home import views as home
from ladder.web.match import films, replays, theatre
from ladder.web.match import views as matches
from ladder.web.play import daily, friends, kept, workshop
from ladder.web.play import views as playing
from ladder.web.puzzle import views as puzzles


class Row(IntConverter):
    """The number of a row: no longer than a database column can hold."""

    regex = "[0-9]{1,16}"


register_converter(Row, "row")

urlpatterns = [
    path("", home.home, name="home"),
    path("cooking/", home.cooking, name="cooking"),
    path("cooking/next/", home.next_table, name="next-table"),
    path("favicon.ico", crawlers.favicon, name="favicon"),
    path("robots.txt", crawlers.robots, name="robots"),
    path("llms.txt", crawlers.llms, name="llms"),
    path("sitemap.xml", crawlers.sitemap, name="sitemap"),
    path("theme/", home.theme, name="theme"),
    path("games/<slug:slug>/", games.game, name="game"),
    path("games/<slug:slug>/rules/", games.rules, name="rules"),
    path("games/<slug:slug>/rules.md", games.rules_text, name="rules-text"),
    path("games/<slug:slug>/starter.<slug:ending>", games.starter, name="starter"),
    path("play/", playing.games, name="play-games"),
    path("play/<slug:slug>/", playing.play, name="play"),
    path("play/<slug:slug>/bot/", workshop.workshop, name="workshop"),
    path("play/<slug:slug>/friends/", friends.new, name="friends"),
    path("tables/<str:key>/", friends.table, name="shared-table"),
    path("tables/<str:key>/join/", friends.join, name="join-table"),
    path("tables/<str:key>/state.json", friends.state, name="table-state"),
    path("tables/<str:key>/hint.json", friends.hint, name="table-hint"),
    path("plays/keep/", kept.keep, name="keep-play"),
    path("plays/share/", kept.share, name="share-play"),
    path("plays/<row:pk>/", kept.kept_play, name="kept-play"),
    path("plays/<row:pk>/frames.json", kept.frames, name="kept-frames"),
    path("plays/<row:pk>/replay.json.gz", kept.replay, name="kept-replay"),
    path("plays/<row:pk>/remove/", kept.remove, name="kept-remove"),
    path("boards/<slug:slug>/<row:seats>/", boards.board, name="board"),
    path("boards/<slug:slug>/<row:seats>/open/", boards.open_class, name="open-class"),
    path("boards/<slug:slug>/<row:seats>/history/", histories.history, name="board-history"),
    path("boards/<slug:slug>/<row:seats>/matchups/", boards.matchups, name="matchups"),
    path("bots/<row:pk>/", bots.bot, name="bot"),
    path("bots/<row:pk>/analysis/", analysis.analysis, name="bot-analysis"),
    path("bots/<row:pk>/cases.json", analysis.cases, name="bot-cases"),
    path("bots/<row:pk>/act/", bots.act, name="bot-act"),
    path("bots/<row:pk>/upload/", uploads.upload_version, name="upload-version"),
    path("bots/<row:pk>/publishing/", publishing.publishing, name="bot-publishing"),
    path("bots/<row:pk>/remote/", remote.settings, name="bot-remote"),
    path("bots/remote/new/", remote.new, name="remote-new"),
    path("bots/<row:pk>/trial/", challenges.trial_new, name="trial-new"),
    path("bots/<row:pk>/vs/", versus.choose, name="head-to-head-choose"),
    path("bots/<row:a>/vs/<row:b>/", versus.head_to_head, name="head-to-head"),
    path("bots/<row:pk>/source/<row:version>/", source.source, name="bot-source"),
    path("bots/<row:pk>/changes/<row:old>/<row:new>/", source.changes, name="bot-changes"),
    path("matches/", matches.matches, name="matches"),
    path("matches/<row:pk>/", matches.match, name="match"),
    path("matches/<row:pk>/verify/", replays.verify_match, name="verify"),
    path("matches/<row:pk>/replays.zip", replays.match_download, name="match-download"),
    path(
        "matches/<row:pk>/plays/<row:index>/replay.json.gz",
        replays.replay_download,
        name="replay-download",
    ),
    path("daily/", daily.deals, name="daily"),
    path("daily/<row:pk>/", daily.deal, name="daily-deal"),
    path("daily/<row:pk>/start/", daily.start, name="daily-start"),
    path("daily/<row:pk>/finish/", daily.finish, name="daily-finish"),
    path("daily/<slug:slug>/", daily.game, name="daily-game"),
    path("puzzles/", puzzles.puzzles, name="puzzles"),
    path("puzzles/<row:pk>/", puzzles.puzzle, name="puzzle"),
    path("puzzles/<row:pk>/answer/", puzzles.answer, name="puzzle-answer"),
    path("datasets/", datasets.datasets, name="datasets"),
    path("datasets/<row:pk>/<str:name>", datasets.file, name="dataset-file"),
    path("upload/", uploads.upload, name="upload"),
    path("versions/<row:pk>/", uploads.version, name="version"),
    path("versions/<row:pk>/plays/<row:row>/", uploads.check_play, name="check-play"),
    path("challenge/", challenges.challenge, name="challenge"),
    path("trials/<row:pk>/", challenges.trial, name="trial"),
    path("trials/<row:pk>/cancel/", challenges.trial_cancel, name="trial-cancel"),
    path("my-bots/", bots.my_bots, name="my-bots"),
    path("account/", accounts.account, name="account"),
    path("account/address/<str:claim>/", accounts.address_confirm, name="address-confirm"),
    path("account/profile/", own.profile, name="profile"),
    path("account/data.zip", own.export, name="export"),
    path("account/delete/", own.delete, name="delete-account"),
    path("account/tokens/", accounts.tokens, name="tokens"),
    path("account/password/", accounts.PasswordChange.as_view(), name="password-change"),
    path("sign-up/", accounts.sign_up, name="sign-up"),
    path("sign-in/", accounts.SignIn.as_view(), name="sign-in"),
    path("sign-out/", auth.LogoutView.as_view(), name="sign-out"),
    path("password/", accounts.PasswordReset.as_view(), name="password-reset"),
    path(
        "password/sent/",
        auth.PasswordResetDoneView.as_view(template_name="ladder/account/password_reset_done.html"),
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
    path("calibration/", docs.calibration, name="calibration"),
    path("styleguide/", docs.styleguide, name="styleguide"),
    path("docs/", docs.docs, name="docs"),
    path("docs/<slug:name>/", docs.doc, name="doc"),
    path("docs/<slug:name>.md", docs.doc_text, name="doc-text"),
    path("docs/<slug:name>.svg", docs.doc_drawing, name="doc-drawing"),
]

# The replay theatre.
urlpatterns += [
    path("matches/<row:pk>/plays/<row:index>/", theatre.theatre, name="theatre"),
    path("matches/<row:pk>/plays/<row:index>/analysis.json", theatre.analysis, name="analysis"),
    path("matches/<row:pk>/plays/<row:index>/explorer.json", theatre.explorer, name="explorer"),
    path("matches/<row:pk>/plays/<row:index>/frames.json", films.frames, name="frames"),
    path("matches/<row:pk>/plays/<row:index>/notes.json", theatre.notes, name="notes"),
    path("matches/<row:pk>/plays/<row:index>/inside/<row:seat>", theatre.inside, name="inside"),
    path("matches/<row:pk>/plays/<row:index>/position.json.gz", theatre.position, name="position"),
]
