"""What `make scale` runs inside the settings of its site, in a process of its own each."""

COUNT = "from ladder.models import Match; print(Match.all_objects.filter(status='{}').count())"
SIZE = """
from django.db import connection
cursor = connection.cursor()
cursor.execute("SELECT pg_database_size(current_database())")
print(cursor.fetchone()[0])
"""
STOCK = """
from tests.programs.bench import stock
stock.make_matches(stock.make_bots({bots}), 1_000)
stock.multiply_matches({times})
"""
ONE_BOARD = """
from ladder.models import Rating
Rating.objects.exclude(game="ramen_ramen", seats=2).update(is_listed=False)
"""
UPDATES = """
from django.db import connection
cursor = connection.cursor()
cursor.execute(
    "SELECT relname, n_tup_upd, n_tup_hot_upd FROM pg_stat_user_tables"
    " WHERE relname IN ('ladder_match', 'ladder_rating') ORDER BY relname"
)
print(*(value for row in cursor.fetchall() for value in row[1:]))
"""
UPLOAD = """
import time
from random import Random
from django.db.models import F
from tests.factories import make_bot
from tests.programs.bench import stock
from ladder.models import Entry, Rating
from ladder.services import scheduling
stock.make_bots(10_000)
waiting = Rating.objects.on(stock.BOARD).filter(bot__is_house=False)
waiting.update(is_provisional=True, sets=F("version_id") % 7, variance=300.0**2)
upload = make_bot(name="An upload", seat_counts=[2])
ticks, began, spent = 0, time.monotonic(), time.process_time()
while not Entry.objects.filter(bot=upload).exists():
    scheduling.create_tick(stock.BOARD, Random(ticks))
    ticks += 1
wall, cpu = time.monotonic() - began, time.process_time() - spent
print(ticks, 1000 * wall / ticks, 1000 * cpu / ticks)
"""
PAGES = """
import statistics, time
from django.conf import settings
from django.test import Client
from ladder.models import Rating, Tick
from tests.programs.bench.stock import BOARD
settings.ALLOWED_HOSTS, settings.PAGES_KEPT_SECONDS = ["*"], 0
settings.SECURE_SSL_REDIRECT = False
client = Client()
def cost(paths):
    spent = []
    for path in paths:
        began = time.process_time()
        answer = client.get(path)
        b"".join(answer) if answer.streaming else answer.content
        spent.append(1000 * (time.process_time() - began))
        assert answer.status_code == 200, (path, answer.status_code)
    return statistics.median(spent[1:])  # the first one reads templates
ladder = f"/api/v1/boards/{BOARD.game}/{BOARD.seats}/ladder/"
last = Tick.objects.on(BOARD).order_by("-number").values_list("number", flat=True)[0]
bots = Rating.objects.on(BOARD).order_by("-pk").values_list("bot", flat=True)[:25]
print(
    cost(f"{ladder}?tick={last * part // 25 + 1}" for part in range(25)),
    cost(["/cooking/"] * 9),
    cost(f"/bots/{bot}/" for bot in bots),
)
"""
COLD = """
import resource, time
from tests.programs.bench.stock import BOARD
from ladder.services.rating import fitting, segments
began = time.process_time()
{seal}
sealed = time.process_time() - began
began = time.process_time()
fitting.rate(BOARD)
spent = time.process_time() - began
print(sealed, spent, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
"""
TURN = """
import time
from random import Random
from tests.programs.bench.stock import BOARD
from tests.programs.storm.costs import _finish
from ladder.services import scheduling
from ladder.services.rating import fitting
RATE = {rate} // 16  # of 4 ticks of 4 matches
fitting.rate(BOARD)
spent = matches = rewritten = 0
update = fitting._update
def counted(rows, names):
    global rewritten
    rewritten += len(rows) * (names != ["band"])
    update(rows, names)
fitting._update = counted
for seed in range(3):
    queued, ticks = scheduling.Queued.now(BOARD), {{}}
    began = time.process_time()
    for part in range(RATE):
        ticks |= scheduling.create_ticks(BOARD, 4, queued=queued, rng=Random(16 * seed + part))
    spent += time.process_time() - began
    for tick in ticks:
        _finish(tick)
    began = time.process_time()
    fitting.rate(BOARD, list(ticks))
    spent += time.process_time() - began
    matches += sum(ticks.values())
print(1000 * spent / matches, rewritten / matches)
"""
