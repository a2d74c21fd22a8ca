/* A 32-bit program without a C library: gcc -m32 -nostdlib -static -ffreestanding. It connects to a
   port of 127.0.0.1 that echoes, first by the calls of today, then by socketcall(2), as a 32-bit C
   library does. With an address (8 hexadecimal digits) it waits for input, sends 9 octets there with
   each of four calls, and writes how many each has sent, and whether its arguments are as they were.
   It writes "done" to its standard output. */
#include <stdint.h>

typedef struct { uint32_t base, length; } Buffer;
typedef struct { uint32_t name, name_length, buffers, count, control, control_length, flags; } Message;
typedef struct { int32_t seconds, part; } Time;
typedef struct { int64_t seconds, part; } WideTime;
typedef struct { int fd; short events, revents; } Poll;
typedef struct { uint32_t events; uint64_t data; } __attribute__((packed)) Event;

static int call(int number, uint32_t a, uint32_t b, uint32_t c, uint32_t d, uint32_t e) {
  int result;
  __asm__ volatile("int $0x80"
                   : "=a"(result)
                   : "a"(number), "b"(a), "c"(b), "d"(c), "S"(d), "D"(e)
                   : "memory");
  return result;
}

static int socket_call(int which, uint32_t a, uint32_t b, uint32_t c, uint32_t d, uint32_t e) {
  uint32_t arguments[6] = {a, b, c, d, e, 0};
  return call(102, which, (uint32_t)arguments, 0, 0, 0);
}

static char room[64];
static uint8_t address[16] = {2, 0, 0, 0, 127, 0, 0, 1};

static void by_calls(void) {
  const int fd = call(359, 2, 1, 0, 0, 0);              /* socket */
  Time patience = {5, 250000};
  call(366, fd, 1, 20, (uint32_t)&patience, 8);         /* setsockopt SO_RCVTIMEO */
  call(362, fd, (uint32_t)address, 16, 0, 0);           /* connect */
  call(362, fd, (uint32_t)address, 16, 0, 0);           /* again: EISCONN */
  Buffer parts[2] = {{(uint32_t) "one ", 4}, {(uint32_t) "two", 3}};
  Message message = {0, 0, (uint32_t)parts, 2, 0, 0, 0};
  call(370, fd, (uint32_t)&message, 0x4000, 0, 0);      /* sendmsg MSG_NOSIGNAL */
  Poll waits = {fd, 1, 0};
  Time short_time = {7, 500000000};
  call(309, (uint32_t)&waits, 1, (uint32_t)&short_time, 0, 0);  /* ppoll */
  WideTime long_time = {8, 0};
  call(414, (uint32_t)&waits, 1, (uint32_t)&long_time, 0, 0);   /* ppoll_time64 */
  uint32_t set[32] = {0};
  set[fd / 32] = 1U << (fd % 32);
  Time select_time = {9, 0};
  call(142, fd + 1, (uint32_t)set, 0, 0, (uint32_t)&select_time);  /* _newselect */
  const int epoll = call(329, 0, 0, 0, 0, 0);           /* epoll_create1 */
  Event event = {1, 0x1234567890ULL};
  call(255, epoll, 1, fd, (uint32_t)&event, 0);         /* epoll_ctl */
  call(256, epoll, (uint32_t)&event, 1, 6000, 0);       /* epoll_wait */
  Buffer into[2] = {{(uint32_t)room, 3}, {(uint32_t)room + 3, 61}};
  call(145, fd, (uint32_t)into, 2, 0, 0);               /* readv */
  call(4, fd, (uint32_t) "three", 5, 0, 0);             /* write */
  call(3, fd, (uint32_t)room, sizeof room, 0, 0);       /* read */
  call(6, fd, 0, 0, 0, 0);                              /* close */
}

static void by_socketcall(void) {
  const int fd = socket_call(1, 2, 1, 0, 0, 0);
  socket_call(3, fd, (uint32_t)address, 16, 0, 0);          /* connect */
  socket_call(9, fd, (uint32_t) "four and five", 13, 0, 0); /* send */
  socket_call(10, fd, (uint32_t)room, sizeof room, 0, 0);   /* recv */
  socket_call(13, fd, 1, 0, 0, 0);                          /* shutdown */
  call(6, fd, 0, 0, 0, 0);
}

static void report(int count, int is_unchanged) {
  char text[3] = {(char)('0' + count), is_unchanged ? ' ' : '!', '\n'};
  call(4, 1, (uint32_t)text, 2, 0, 0);
}

static void send_short(void) {
  const int fd = call(359, 2, 1, 0, 0, 0);
  call(3, 0, (uint32_t)room, 1, 0, 0);
  if (call(362, fd, (uint32_t)address, 16, 0, 0) != 0) call(252, 1, 0, 0, 0, 0);
  Buffer parts[3] = {{(uint32_t) "12", 2}, {(uint32_t) "3456", 4}, {(uint32_t) "789", 3}};
  Message message = {0, 0, (uint32_t)parts, 3, 0, 0, 0};
  int count = call(370, fd, (uint32_t)&message, 0, 0, 0); /* sendmsg */
  report(count, parts[1].length == 4 && message.count == 3);
  count = call(146, fd, (uint32_t)parts, 3, 0, 0); /* writev */
  report(count, parts[1].length == 4 && parts[2].length == 3);
  report(call(369, fd, (uint32_t) "123456789", 9, 0, 0), 1);
  uint32_t arguments[6] = {fd, (uint32_t) "123456789", 9, 0, 0, 0x55};
  count = call(102, 9, (uint32_t)arguments, 0, 0, 0); /* send by socketcall */
  report(count, arguments[2] == 9 && arguments[3] == 0 && arguments[0] == (uint32_t)fd);
}

static uint32_t hex(const char* text) {
  uint32_t value = 0;
  for (; *text; ++text) value = value * 16 + (*text <= '9' ? *text - '0' : *text - 'a' + 10);
  return value;
}

static int start(uint32_t* stack) {
  int port = 0;
  for (const char* digit = (const char*)stack[2]; *digit; ++digit) port = port * 10 + *digit - '0';
  address[2] = (uint8_t)(port >> 8);
  address[3] = (uint8_t)port;
  if (stack[0] > 2) {
    const uint32_t to = hex((const char*)stack[3]);
    for (int i = 0; i < 4; ++i) address[4 + i] = (uint8_t)(to >> (24 - 8 * i));
    send_short();
  } else {
    by_calls();
    by_socketcall();
  }
  call(4, 1, (uint32_t) "done\n", 5, 0, 0);
  return call(252, 0, 0, 0, 0, 0);
}

__asm__(".globl _start\n_start: mov %esp, %eax; push %eax; call begin");
__attribute__((used)) int begin(uint32_t* stack) { return start(stack); }
