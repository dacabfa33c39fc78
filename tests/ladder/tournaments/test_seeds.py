from hashlib import sha256

from engine.chance import MAX_SEED
from ladder.tournaments.seeds import commitment, keeps_commitment, match_seed


def test_the_commitment_is_the_plain_hash_that_anyone_can_compute():
    assert commitment("pepper") == sha256(b"pepper").hexdigest()
    assert keeps_commitment("pepper", commitment("pepper"))
    assert not keeps_commitment("salt", commitment("pepper"))


def test_a_seed_follows_from_secret_label_and_set():
    digest = sha256(b"pepper:Final:2").hexdigest()

    assert match_seed("pepper", "Final", 2) == int(digest[:16], 16) // 2**11


def test_seeds_differ_by_secret_label_and_set_and_are_what_the_engine_takes():
    seeds = {
        match_seed(secret, label, number)
        for secret in ("pepper", "salt")
        for label in ("Final", "R1-1")
        for number in (1, 2)
    }

    assert len(seeds) == 8
    assert all(0 <= seed <= MAX_SEED for seed in seeds)
