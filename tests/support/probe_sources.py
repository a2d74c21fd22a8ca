"""C programs with USDT probes, for tests of them. probed.c is another."""

# Its own code has bytes like a probe's.
LOOKALIKE = r"""
#include <stdio.h>
#include <sys/sdt.h>
static const char filler[5000] = "abc";
__attribute__((noinline)) int f(int a) { STAP_PROBE1(own, hit, a); return a + 1; }
int own_code(void);
__asm__(".text\n.globl own_code\nown_code:\n.rept 3000\nmovl $0x90909090,%eax\n"
        "cmpl $0x90909090,%eax\njne 1f\n.endr\nxorl %eax,%eax\n1: ret\n");
int main(void) { f(1); printf("%s %x\n", filler, own_code()); return 0; }
"""
ONE_PROBE = """
#include <sys/sdt.h>
int main(void) { STAP_PROBE(own, %s); return 0; }
"""
TWO_PLACES = """
#include <sys/sdt.h>
int main(int count, char** words) {
  STAP_PROBE(own, hit);
  if (count > 1) STAP_PROBE(own, hit);
  return words == 0;
}
"""
# Maps a library's code as a loader does, unmaps it, and maps the data of a file there. Prints how
# many bytes of that are not those of the file.
ABANDONS = r"""
#define _GNU_SOURCE
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
int main(int count, char** words) {
  static unsigned char bytes[65536], now[65536];
  int library = open(words[1], O_RDONLY), file = open(words[2], O_RDONLY);
  Elf64_Ehdr header;
  Elf64_Phdr parts[32], *code = 0, *data = 0;
  pread(library, &header, sizeof header, 0);
  pread(library, parts, header.e_phnum * sizeof *parts, header.e_phoff);
  for (int i = 0; i < header.e_phnum; ++i) {
    if (parts[i].p_type != PT_LOAD) continue;
    if (parts[i].p_flags & PF_X) code = &parts[i];
    if (parts[i].p_flags & PF_W) data = &parts[i];
  }
  const long page = 4096;
  unsigned char* base = mmap(0, 1 << 20, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  mmap(base + code->p_vaddr / page * page, code->p_filesz, PROT_READ | PROT_EXEC,
       MAP_PRIVATE | MAP_FIXED, library, code->p_offset / page * page);
  munmap(base, 1 << 20);
  const long first = data->p_vaddr / page * page, offset = data->p_offset / page * page;
  const long size = data->p_vaddr % page + data->p_filesz;
  unsigned char* place = mmap(base + first, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED,
                              file, offset);
  pread(file, bytes, size, offset);
  memcpy(now, place, size);
  int changed = 0;
  for (long i = 0; i < size; ++i) changed += bytes[i] != now[i];
  printf("%d\n", changed);
  return count != 3;
}
"""
THROWING = "int main() { try { throw 1; } catch (int) { } }"
GUARDED = r"""
#define _SDT_HAS_SEMAPHORES 1
#include <sys/sdt.h>
#include <stdio.h>
__extension__ unsigned short own_asked_semaphore __attribute__((used, section(".probes")));
int main(void) {
  printf("%d\n", own_asked_semaphore);
  if (own_asked_semaphore) STAP_PROBE1(own, asked, 1);
  return 0;
}
"""
