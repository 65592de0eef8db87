package clock

import (
	"container/heap"
	"time"
)

// idle is the index of a timer that is not in the queue.
const idle = -1

type fakeTimer struct {
	clock *Fake
	call  func()
	due   time.Time
	seq   uint64
	index int
}

func (t *fakeTimer) Stop() bool {
	t.clock.lock()
	defer t.clock.mu.Unlock()
	return t.clock.queue.remove(t)
}

func (t *fakeTimer) Reset(d time.Duration) bool {
	t.clock.lock()
	defer t.clock.mu.Unlock()
	pending := t.clock.queue.remove(t)
	t.clock.schedule(t, d)
	return pending
}

// schedule queues t, which is idle, and wakes who waited for it.
func (f *Fake) schedule(t *fakeTimer, d time.Duration) {
	f.seq++
	t.due, t.seq = f.now.Add(max(d, 0)), f.seq
	heap.Push(&f.queue, t)
	f.wake()
}

// queue is a heap by due instant, then by the order of setting.
type queue []*fakeTimer

func (q *queue) pop() *fakeTimer { return heap.Pop(q).(*fakeTimer) }

func (q *queue) remove(t *fakeTimer) bool {
	if t.index == idle {
		return false
	}
	heap.Remove(q, t.index)
	return true
}

// Len implements [heap.Interface].
func (q queue) Len() int { return len(q) }

// Less implements [heap.Interface].
func (q queue) Less(i, j int) bool {
	if c := q[i].due.Compare(q[j].due); c != 0 {
		return c < 0
	}
	return q[i].seq < q[j].seq
}

// Swap implements [heap.Interface].
func (q queue) Swap(i, j int) {
	q[i], q[j] = q[j], q[i]
	q[i].index, q[j].index = i, j
}

// Push implements [heap.Interface].
func (q *queue) Push(x any) {
	t := x.(*fakeTimer)
	t.index = len(*q)
	*q = append(*q, t)
}

// Pop implements [heap.Interface].
func (q *queue) Pop() any {
	last := len(*q) - 1
	t := (*q)[last]
	(*q)[last] = nil
	*q = (*q)[:last]
	t.index = idle
	return t
}
