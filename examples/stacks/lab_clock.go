// The lab's clock for gVisor's netstack (docs/stacks.md, "Time"). The lab sees that the process
// waits, and for which timer, and then skips time.
package main

import (
	"container/heap"
	"math"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"

	"gvisor.dev/gvisor/pkg/tcpip"
)

// The page that the process shares with the lab. All times are nanoseconds.
type clockPage struct {
	skipped  int64
	origin   int64
	slowness int64
	process  int64 // ours
	deadline int64 // our next timer
}

const clockMonotonic = 1

func monotonic() int64 {
	var now syscall.Timespec
	syscall.Syscall(syscall.SYS_CLOCK_GETTIME, clockMonotonic, uintptr(unsafe.Pointer(&now)), 0)
	return now.Nano()
}

type labTimer struct {
	clock *labClock
	run   func()
	due   int64
	place int // in the heap; -1 for none
}

type timers []*labTimer

func (t timers) Len() int           { return len(t) }
func (t timers) Less(i, j int) bool { return t[i].due < t[j].due }
func (t timers) Swap(i, j int) {
	t[i], t[j] = t[j], t[i]
	t[i].place, t[j].place = i, j
}
func (t *timers) Push(one any) {
	one.(*labTimer).place = len(*t)
	*t = append(*t, one.(*labTimer))
}
func (t *timers) Pop() any {
	last := (*t)[len(*t)-1]
	*t = (*t)[:len(*t)-1]
	last.place = -1
	return last
}

type labClock struct {
	page    *clockPage
	changed chan struct{} // the first timer is another one, or due
	mutex   sync.Mutex
	timers  timers
}

// The lab's clock, or nil if it gives none: then gVisor takes the machine's.
func openLabClock() tcpip.Clock {
	descriptor, err := strconv.Atoi(os.Getenv("TCPLAB_CLOCK"))
	if err != nil {
		return nil
	}
	memory, err := syscall.Mmap(descriptor, 0, os.Getpagesize(),
		syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	if err != nil {
		return nil
	}
	clock := &labClock{
		page:    (*clockPage)(unsafe.Pointer(&memory[0])),
		changed: make(chan struct{}, 1),
	}
	atomic.StoreInt64(&clock.page.deadline, math.MaxInt64)
	atomic.StoreInt64(&clock.page.process, int64(os.Getpid()))
	go clock.hear(pollable("TCPLAB_CLOCK_BELL"))
	go clock.run()
	return clock
}

func (c *labClock) now() int64 {
	page := c.page
	return page.origin + (monotonic()-page.origin)/page.slowness + atomic.LoadInt64(&page.skipped)
}

// A descriptor that goroutines wait for in the runtime. In a system call, they could keep others
// from running although all threads sleep: then the lab would believe that nothing is to do.
func pollable(variable string) *os.File {
	descriptor, err := strconv.Atoi(os.Getenv(variable))
	if err != nil {
		return nil
	}
	syscall.SetNonblock(descriptor, true)
	return os.NewFile(uintptr(descriptor), variable)
}

// Hears that the lab has skipped time to the first timer.
func (c *labClock) hear(bell *os.File) {
	var count [8]byte
	for {
		if _, err := bell.Read(count[:]); err != nil {
			return
		}
		c.note()
	}
}

func (c *labClock) note() {
	select {
	case c.changed <- struct{}{}:
	default:
	}
}

// Runs timers for ever.
func (c *labClock) run() {
	for {
		span := time.Duration(math.MaxInt64)
		if next := c.runDue(); next != math.MaxInt64 {
			span = time.Duration((next - c.now()) * c.page.slowness)
		}
		due := time.NewTimer(span)
		select {
		case <-c.changed:
		case <-due.C:
		}
		due.Stop()
	}
}

// Runs the timers that are due, and returns when the next one is. Only then does the page say so:
// what they do is under way before the lab may skip time.
func (c *labClock) runDue() int64 {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for len(c.timers) > 0 && c.timers[0].due <= c.now() {
		go heap.Pop(&c.timers).(*labTimer).run()
	}
	return c.publish()
}

// With the mutex.
func (c *labClock) publish() int64 {
	next := int64(math.MaxInt64)
	if len(c.timers) > 0 {
		next = c.timers[0].due
	}
	atomic.StoreInt64(&c.page.deadline, next)
	return next
}

func (c *labClock) Now() time.Time { return time.Now().Add(time.Duration(c.now() - monotonic())) }

func (c *labClock) NowMonotonic() tcpip.MonotonicTime {
	return tcpip.MonotonicTime{}.Add(time.Duration(c.now()))
}

func (c *labClock) AfterFunc(d time.Duration, f func()) tcpip.Timer {
	timer := &labTimer{clock: c, run: f, place: -1}
	timer.Reset(d)
	return timer
}

func (t *labTimer) Stop() bool {
	t.clock.mutex.Lock()
	defer t.clock.mutex.Unlock()
	if t.place < 0 {
		return false
	}
	heap.Remove(&t.clock.timers, t.place)
	t.clock.publish()
	return true
}

func (t *labTimer) Reset(d time.Duration) {
	t.clock.mutex.Lock()
	defer t.clock.mutex.Unlock()
	if t.place >= 0 {
		heap.Remove(&t.clock.timers, t.place)
	}
	t.due = t.clock.now() + int64(d)
	heap.Push(&t.clock.timers, t)
	t.clock.publish()
	if t.place == 0 {
		t.clock.note()
	}
}
