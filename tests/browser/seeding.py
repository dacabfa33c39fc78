"""What the site has before anybody comes: a tournament of each look, a trial, a benched version.

Played in this process, before the site's own worker is there: quickly, and the same every time.
"""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from ladder.models import Bot, Match, Tournament, Trial, User
from ladder.services import bots, tournaments, trials
from tests.factories import DUEL, make_bot, make_user, make_version
from tests.ladder.tournaments.events import make_tournament, play_out, play_waiting, started
from tests.local_play import play_and_finish

COOK = "cook"  # an author with something of everything
LOOKS = ("round_robin", "double_elimination", "swiss", "groups")
NAMES = ("Miso", "Careful Lentil Ladle", "Shio", "The Longest Simmering Broth", "Tonkotsu", "Pho")
TRIAL_PAIRS = 6


def seed() -> dict[str, str]:
    """Make all of it; the path of each by a word for it."""
    cook = make_user(COOK)
    players = [make_bot(name=name, seat_counts=[2]) for name in NAMES[1:]]
    own = make_bot(cook, name=NAMES[0], seat_counts=[2])
    paths = {look: f"/tournaments/{_played(look, [own, *players]).pk}/" for look in LOOKS}
    paths["enrolling"] = f"/tournaments/{_about_to_start(cook, own, players).pk}/"
    for bot in players:
        bots.retire(bot=bot)  # the ladder has no need of them
    paths["trial"] = f"/trials/{_trial(cook, own).pk}/"
    paths["benched"] = f"/bots/{_benched(cook).pk}/"
    return paths


def _played(look: str, entrants: list[Bot]) -> Tournament:
    """One that is over; the Swiss is paused after its first round."""
    cup = make_tournament(format=look, name=f"The {look.replace('_', ' ').title()} of Winter")
    for bot in entrants:
        tournaments.enrol(tournament=cup, bot=bot, by=bot.owner)
    started(cup)
    if look != "swiss":
        return play_out(cup)
    play_waiting(cup)
    return tournaments.pause(tournament=cup, by=cup.organiser, why="Lunch.")


def _about_to_start(organiser: User, own: Bot, others: list[Bot]) -> Tournament:
    """Seeds by hand, and time to check in."""
    cup = make_tournament(
        organiser,
        name="Evening Soup",
        format="single_elimination",
        seeding=Tournament.Seeding.MANUAL,
        start_at=timezone.now() + timedelta(hours=20),
        check_in_minutes=24 * 60,
    )
    for bot in [own, *others[:3]]:
        tournaments.enrol(tournament=cup, bot=bot, by=bot.owner)
    cup.enrolments.update(checked_in_at=None)
    tournaments.check_in(tournament=cup, bot=others[0], by=others[0].owner)
    tournaments.invite(tournament=cup, bot=others[3], by=organiser)
    return cup


def _trial(by: User, bot: Bot) -> Trial:
    """One that was called off after some pairs."""
    old, new = bot.active_version, make_version(bot)
    assert old is not None
    trial = trials.start(by=by, old=old, new=new, seats=DUEL.seats, promote=False)
    for _ in range(TRIAL_PAIRS):
        waiting = Match.all_objects.waiting().filter(trial=trial).order_by("number").first()
        assert waiting is not None and play_and_finish(waiting)
        trials.advance_all()
    trial.refresh_from_db()
    trials.cancel(trial)
    return trial


def _benched(owner: User) -> Bot:
    bot = make_bot(owner, name="Burnt Garlic", seat_counts=[2])
    bots.bench(version=make_version(bot), board=bot.boards[0])
    return bot
