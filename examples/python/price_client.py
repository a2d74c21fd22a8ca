"""A client of redis, as yours may be: asks for a price each time that a line is typed."""
import sys

import redis

server = redis.Redis(host=sys.argv[1], socket_timeout=float(sys.argv[2]))
print("connected:", server.ping(), flush=True)
for line in sys.stdin:
    try:
        print("price:", server.get(line.strip()), flush=True)
    except redis.RedisError as error:
        print(f"no price: {type(error).__name__}: {error}", flush=True)
