"""Every address of version 1 of the API."""

from django.urls import path, re_path, register_converter
from django.urls.converters import IntConverter, StringConverter

from ladder.api.problems import unknown_address
from ladder.api.v1.views import (
    accounts,
    boards,
    bots,
    docs,
    entrants,
    games,
    matches,
    plays,
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
    path("games/", games.Games.as_view()),
    path("games/<slug:game>/", games.GameDetail.as_view()),
    path("games/<slug:game>/rules/", games.GameRules.as_view()),
    path("games/<slug:game>/starter/", games.GameStarter.as_view()),
    path("games/<slug:game>/statistics/", games.GameStatistics.as_view()),
    path("boards/", boards.Boards.as_view()),
    path("boards/<slug:game>/<id:seats>/", boards.BoardDetail.as_view()),
    path("boards/<slug:game>/<id:seats>/ladder/", boards.Ladder.as_view()),
    path("boards/<slug:game>/<id:seats>/ticks/", boards.Ticks.as_view()),
    path("bots/", bots.Bots.as_view()),
    path(BOT, bots.BotDetail.as_view()),
    path(f"{BOT}retire/", bots.Retire.as_view()),
    path(f"{BOT}bring-back/", bots.BringBack.as_view()),
    path(f"{BOT}ratings/", bots.Ratings.as_view()),
    path(f"{BOT}figures/<id:seats>/", bots.FiguresOnBoard.as_view()),
    path(f"{BOT}history/", bots.History.as_view()),
    path(f"{BOT}versus/<id:other>/", bots.HeadToHead.as_view()),
    path(f"{BOT}versions/", versions.Versions.as_view()),
    path(VERSION, versions.VersionDetail.as_view()),
    path(f"{VERSION}activate/", versions.Activate.as_view()),
    path(f"{VERSION}report/", versions.Report.as_view()),
    path(f"{VERSION}source/", versions.Source.as_view()),
    path("matches/", matches.Matches.as_view()),
    path(MATCH, matches.MatchDetail.as_view()),
    path(f"{MATCH}logs/", matches.Logs.as_view()),
    path(f"{MATCH}plays/", plays.Plays.as_view()),
    path(f"{MATCH}replays/", plays.Replays.as_view()),
    path(PLAY, plays.PlayDetail.as_view()),
    path(f"{PLAY}replay/", plays.ReplayFile.as_view()),
    path(f"{PLAY}position/", plays.Position.as_view()),
    path(f"{PLAY}verify/", plays.PlayVerdict.as_view()),
    path("verify/", plays.Verify.as_view()),
    path("challenges/", matches.Challenges.as_view()),
    path("trials/", trials.Trials.as_view()),
    path("trials/<id:trial>/", trials.TrialDetail.as_view()),
    path("trials/<id:trial>/cancel/", trials.CancelTrial.as_view()),
    path("boards/<slug:game>/<id:seats>/formats/", tournaments.Formats.as_view()),
    path("tournaments/", tournaments.Tournaments.as_view()),
    path("tournaments/preview/", tournaments.Preview.as_view()),
    path(TOURNAMENT, tournaments.TournamentDetail.as_view()),
    path(f"{TOURNAMENT}record/", tournaments.Record.as_view()),
    path(f"{TOURNAMENT}results/", tournaments.Results.as_view()),
    path(f"{TOURNAMENT}start/", tournaments.Start.as_view()),
    path(f"{TOURNAMENT}pause/", tournaments.Pause.as_view()),
    path(f"{TOURNAMENT}resume/", tournaments.Resume.as_view()),
    path(f"{TOURNAMENT}cancel/", tournaments.Cancel.as_view()),
    path(f"{TOURNAMENT}invitations/", entrants.Invitations.as_view()),
    path(f"{TOURNAMENT}entrants/", entrants.Entrants.as_view()),
    path(f"{ENTRANT}withdraw/", entrants.Withdraw.as_view()),
    path(f"{ENTRANT}disqualify/", entrants.Disqualify.as_view()),
    path(f"{ENTRANT}seed/", entrants.Seed.as_view()),
    path(f"{ENTRANT}replace/", entrants.Replace.as_view()),
    path("me/", accounts.Me.as_view()),
    path("tokens/", accounts.Tokens.as_view()),
    path("tokens/<id:token>/", accounts.TokenDetail.as_view()),
    path("users/", users.Users.as_view()),
    path("users/<name:username>/", users.UserDetail.as_view()),
    path("stats/", games.Stats.as_view()),
    path("schema/", docs.Schema.as_view(), name="api-schema"),
    path("docs/", docs.Docs.as_view(), name="api-docs"),
    re_path(r"^(?P<rest>[\s\S]*)$", unknown_address),
]
