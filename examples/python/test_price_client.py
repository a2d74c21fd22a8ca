"""What does price_client.py do when its server fails? Run it: pytest examples/python"""
import pathlib
import shutil

import pytest

CLIENT = pathlib.Path(__file__).with_name("price_client.py")
PYTHON = "/usr/bin/python3"  # Debian's, which has python3-redis
TIMEOUT = 2

pytestmark = pytest.mark.skipif(shutil.which("redis-server") is None,
                                reason="needs the packages redis-server and python3-redis")


def start(lab):
    """Returns the client, which is connected, and the hosts."""
    kang, kodos = lab.pair()
    kodos.service("redis-server", "--save", "", "--protected-mode", "no", cwd="/tmp",
                  ready={"port": 6379})
    client = kang.run(PYTHON, CLIENT, kodos, TIMEOUT, name="client")
    lab.expect(client).within(20).prints("connected: True")
    return client, kang, kodos


def test_a_server_without_power_is_reported_after_the_timeout(lab, tcplab_events):
    client, _kang, kodos = start(lab)
    kodos.power_off()
    client.type("apples\n")
    lab.expect(client).within(TIMEOUT + 5).prints("no price: TimeoutError")
    [typed] = tcplab_events("action", verb="type")
    printed = tcplab_events("program", change="wrote")[-1]
    assert printed.t - typed.t >= TIMEOUT


def test_the_client_connects_again_after_a_power_cycle(lab):
    client, _kang, kodos = start(lab)
    kodos.power_cycle()
    client.type("apples\n")
    lab.expect(client).call("recvfrom").fails("ECONNRESET")
    lab.expect(client).prints("no price: ConnectionError")
