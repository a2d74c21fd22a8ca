// Which library a traceback names.
#include "audit/library.hh"

#include "tests/catch.hh"

using namespace tcplab::audit;

namespace {

std::string_view named_by(std::string_view output) {
  const Library* library = library_in(output);
  return library == nullptr ? "" : library->settings.names;
}

}  // namespace

TEST_CASE("a library is known by a frame of a traceback") {
  CHECK(named_by("Traceback (most recent call last):\n"
                 "  File \"/usr/lib/python3/dist-packages/redis/connection.py\", line 7, in x\n"
                 "OSError: [Errno 110]\n") == "redis-py");
  CHECK(named_by("    at emit (/usr/share/nodejs/ws/lib/websocket.js:1:2)\n") == "ws");
  CHECK(named_by("    at x (file:///srv/node_modules/ioredis/built/Redis.js:1:2)") == "ioredis");
  CHECK(named_by("Exception in thread \"main\" java.lang.Error\n"
                 "\tat org.postgresql.core.v3.QueryExecutorImpl.execute(Q.java:1)\n") == "pgjdbc");
  CHECK(named_by("google.golang.org/grpc.(*ClientConn).Invoke(0xc0)\n") == "grpc-go");
}

TEST_CASE("a library that uses another is named first") {
  CHECK(named_by("  File \"/x/site-packages/redis/client.py\", line 7, in x\n"
                 "  File \"/x/site-packages/requests/api.py\", line 7, in x\n") == "redis-py");
}

TEST_CASE("the name of a library proves nothing outside of a frame") {
  for (const char* output :
       {"reads /usr/lib/python3/dist-packages/redis/connection.py\n",
        "  File \"/home/me/redis/connection.py\", line 7, in x\n",
        "  File \"/x/site-packages/myredis/connection.py\", line 7, in x\n",
        "  File \"/x/site-packages/redis/connection.py\"\n",
        "  File \"/x/site-packages/redis_om/connection.py\", line 7, in x\n",
        "    at x (/srv/ws/lib/websocket.js:1:2)\n", "    at x (/srv/node_modules/wsx/a.js:1:2)\n",
        "look at org.postgresql.Driver\n", "\tat org.postgresqlx.Driver.run(D.java:1)\n",
        "see google.golang.org/grpc.(*X)()\n", "google.golang.org/grpcx.Run()\n", ""})
    CHECK(named_by(output).empty());
}

TEST_CASE("a library is that of all cells with the same command") {
  Audit audit;
  audit.cells = {{.command = "python3 a.py"},
                 {.command = "python3 a.py", .library = "pika"},
                 {.command = "python3 b.py"}};
  share_libraries(audit);
  CHECK(audit.cells[0].library == "pika");
  CHECK(audit.cells[1].library == "pika");
  CHECK(audit.cells[2].library.empty());
}
