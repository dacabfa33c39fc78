"""Every address of version 1 of the API."""

from django.urls import path, re_path, register_converter
from django.urls.converters import IntConverter, StringConverter

from ladder.api.problems import unknown_address
from ladder.api.v1.views import (
    accounts,
    boards,
    bots,
    daily,
    datasets,
    docs,
    entrants,
    events,
    games,
    matches,
    plays,
    publishing,
    puzzles,
    remote,
    tournaments,
    trials,
    users,
    versions,
)


class Id(IntConverter):
    """A number that a database column can hold."""

    regex = "[0-9]{1,16}"


class Name(StringConverter):
    """A text that a database can look for."""

    regex = r"[^/\x00]{1,150}"


register_converter(Id, "id")
register_converter(Name, "name")

BOT = "bots/<id:bot>/"
VERSION = f"{BOT}versions/<id:version>/"
MATCH = "matches/<id:match>/"
TOURNAMENT = "tournaments/<id:tournament>/"
ENTRANT = f"{TOURNAMENT}entrants/<id:bot>/"
PLAY = f"{MATCH}plays/<id:index>/"

urlpatterns = [
    path("games/", games.Games.as_view(), name="api-games"),
    path("games/<slug:game>/", games.GameDetail.as_view(), name="api-game-detail"),
    path("games/<slug:game>/rules/", games.GameRules.as_view(), name="api-game-rules"),
    path("games/<slug:game>/starter/", games.GameStarter.as_view(), name="api-game-starter"),
    path(
        "games/<slug:game>/statistics/", games.GameStatistics.as_view(), name="api-game-statistics"
    ),
    path("boards/", boards.Boards.as_view(), name="api-boards"),
    path("boards/<slug:game>/<id:seats>/", boards.BoardDetail.as_view(), name="api-board-detail"),
    path("boards/<slug:game>/<id:seats>/ladder/", boards.Ladder.as_view(), name="api-ladder"),
    path("boards/<slug:game>/<id:seats>/open/", boards.OpenClass.as_view(), name="api-open-class"),
    path("boards/<slug:game>/<id:seats>/matchups/", boards.MatchUps.as_view(), name="api-matchups"),
    path("boards/<slug:game>/<id:seats>/ticks/", boards.Ticks.as_view(), name="api-ticks"),
    path("bots/", bots.Bots.as_view(), name="api-bots"),
    path(BOT, bots.BotDetail.as_view(), name="api-bot-detail"),
    path(f"{BOT}retire/", bots.Retire.as_view(), name="api-retire"),
    path(f"{BOT}bring-back/", bots.BringBack.as_view(), name="api-bring-back"),
    path("remote-bots/", remote.RemoteBots.as_view(), name="api-remote-bots"),
    path(f"{BOT}remote/", remote.RemoteDetail.as_view(), name="api-remote"),
    path(f"{BOT}remote/token/", remote.RemoteToken.as_view(), name="api-remote-token"),
    path("seat", remote.Seat.as_view(), name="api-seat"),
    path("decisions/<name:decision>/answer", remote.Answer.as_view(), name="api-answer"),
    path(f"{BOT}ratings/", bots.Ratings.as_view(), name="api-ratings"),
    path(f"{BOT}figures/<id:seats>/", bots.FiguresOnBoard.as_view(), name="api-figures-on-board"),
    path(f"{BOT}analysis/<id:seats>/", bots.AnalysisOnBoard.as_view(), name="api-bot-analysis"),
    path(f"{BOT}history/", bots.History.as_view(), name="api-history"),
    path(f"{BOT}versus/<id:other>/", bots.HeadToHead.as_view(), name="api-head-to-head"),
    path(f"{BOT}versions/", versions.Versions.as_view(), name="api-versions"),
    path(VERSION, versions.VersionDetail.as_view(), name="api-version-detail"),
    path(f"{VERSION}activate/", versions.Activate.as_view(), name="api-activate"),
    path(f"{VERSION}report/", versions.VersionReport.as_view(), name="api-report"),
    path(f"{VERSION}source/", versions.Source.as_view(), name="api-source"),
    path("matches/", matches.Matches.as_view(), name="api-matches"),
    path(MATCH, matches.MatchDetail.as_view(), name="api-match-detail"),
    path(f"{MATCH}logs/", matches.Logs.as_view(), name="api-logs"),
    path(f"{MATCH}plays/", plays.Plays.as_view(), name="api-plays"),
    path(f"{MATCH}replays/", plays.Replays.as_view(), name="api-replays"),
    path(PLAY, plays.PlayDetail.as_view(), name="api-play-detail"),
    path(f"{PLAY}replay/", plays.ReplayFile.as_view(), name="api-replay-file"),
    path(f"{PLAY}position/", plays.Position.as_view(), name="api-position"),
    path(f"{PLAY}verify/", plays.PlayVerdict.as_view(), name="api-play-verdict"),
    path("replays/", matches.Replays.as_view(), name="api-replay-lines"),
    path("verify/", plays.Verify.as_view(), name="api-verify"),
    path("datasets/", datasets.Datasets.as_view(), name="api-datasets"),
    path("datasets/<id:dataset>/", datasets.DatasetDetail.as_view(), name="api-dataset-detail"),
    path(
        "datasets/<id:dataset>/files/<name:name>",
        datasets.DatasetFile.as_view(),
        name="api-dataset-file",
    ),
    path("daily-deals/", daily.DailyDeals.as_view(), name="api-daily-deals"),
    path("daily-deals/<id:deal>/", daily.DailyDealDetail.as_view(), name="api-daily-deal-detail"),
    path("puzzles/", puzzles.Puzzles.as_view(), name="api-puzzles"),
    path("puzzles/<id:puzzle>/", puzzles.PuzzleDetail.as_view(), name="api-puzzle-detail"),
    path("puzzles/<id:puzzle>/answer/", puzzles.Answer.as_view(), name="api-puzzle-answer"),
    path("events", events.Events.as_view(), name="api-events"),
    path("challenges/", matches.Challenges.as_view(), name="api-challenges"),
    path("trials/", trials.Trials.as_view(), name="api-trials"),
    path("trials/<id:trial>/", trials.TrialDetail.as_view(), name="api-trial-detail"),
    path("trials/<id:trial>/cancel/", trials.CancelTrial.as_view(), name="api-cancel-trial"),
    path(
        "boards/<slug:game>/<id:seats>/formats/", tournaments.Formats.as_view(), name="api-formats"
    ),
    path("tournaments/", tournaments.Tournaments.as_view(), name="api-tournaments"),
    path("tournaments/preview/", tournaments.TournamentPreview.as_view(), name="api-preview"),
    path(TOURNAMENT, tournaments.TournamentDetail.as_view(), name="api-tournament-detail"),
    path(f"{TOURNAMENT}record/", tournaments.Record.as_view(), name="api-record"),
    path(f"{TOURNAMENT}results/", tournaments.TournamentResults.as_view(), name="api-results"),
    path(f"{TOURNAMENT}start/", tournaments.Start.as_view(), name="api-start"),
    path(f"{TOURNAMENT}pause/", tournaments.Pause.as_view(), name="api-pause"),
    path(f"{TOURNAMENT}resume/", tournaments.Resume.as_view(), name="api-resume"),
    path(f"{TOURNAMENT}cancel/", tournaments.Cancel.as_view(), name="api-cancel"),
    path(f"{TOURNAMENT}invitations/", entrants.Invitations.as_view(), name="api-invitations"),
    path(f"{TOURNAMENT}entrants/", entrants.Entrants.as_view(), name="api-entrants"),
    path(f"{ENTRANT}withdraw/", entrants.Withdraw.as_view(), name="api-withdraw"),
    path(f"{ENTRANT}check-in/", entrants.CheckIn.as_view(), name="api-check-in"),
    path(f"{ENTRANT}disqualify/", entrants.Disqualify.as_view(), name="api-disqualify"),
    path(f"{ENTRANT}seed/", entrants.Seed.as_view(), name="api-seed"),
    path(f"{ENTRANT}replace/", entrants.Replace.as_view(), name="api-replace"),
    path("me/", accounts.Me.as_view(), name="api-me"),
    path("tokens/", accounts.Tokens.as_view(), name="api-tokens"),
    path("tokens/<id:token>/", accounts.TokenDetail.as_view(), name="api-token-detail"),
    path("users/", users.Users.as_view(), name="api-users"),
    path("users/<name:username>/", users.UserDetail.as_view(), name="api-user-detail"),
    path(
        "trusted-publishing/",
        publishing.TrustedPublishing.as_view(),
        name="api-trusted-publishing",
    ),
    path("stats/", games.Stats.as_view(), name="api-stats"),
    path("schema/", docs.Schema.as_view(), name="api-schema"),
    path("docs/", docs.docs, name="api-docs"),
    re_path(r"^(?P<rest>[\s\S]*)$", unknown_address, name="api-unknown"),
]
