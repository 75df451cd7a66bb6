"""What whole cycles share: a village with publishers of its own."""

import pytest

from tests.gate.village import Publisher, Village


@pytest.fixture(scope="session")
def village_publisher():
    publisher = Publisher()
    yield publisher
    publisher.close()


@pytest.fixture(scope="session")
def first_hour(root, tmp_path_factory, village_publisher):
    """A village after its first hour, all of it accepted: the baseline (U0)."""
    made = Village(root, tmp_path_factory.mktemp("first hour"), village_publisher)
    assert made.turn() == 0 and not made.stands, made.said
    return made


@pytest.fixture
def village(root, tmp_path, village_publisher, first_hour):
    """The same, to be changed."""
    village_publisher.begin()
    return Village(root, tmp_path, village_publisher, first_hour)
