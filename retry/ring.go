package retry

import "sync"

// Ring is a ledger in memory that keeps the last entries. Make it with
// [NewRing]. All its methods may be called from any number of goroutines.
type Ring struct {
	mu    sync.Mutex
	kept  []Entry
	size  int
	total int
}

// NewRing returns a ledger that keeps the last size entries. It panics when size
// is not positive.
func NewRing(size int) *Ring {
	if size <= 0 {
		panic("retry: a ring needs a positive size")
	}
	return &Ring{size: size}
}

// Record implements [Ledger]. A full ring forgets its oldest entry.
func (r *Ring) Record(e Entry) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.kept) < r.size {
		r.kept = append(r.kept, e)
	} else {
		r.kept[r.total%r.size] = e
	}
	r.total++
}

// Snapshot returns the entries that are kept, the oldest first. The slice is the
// caller's.
func (r *Ring) Snapshot() []Entry {
	r.mu.Lock()
	defer r.mu.Unlock()
	oldest := 0
	if len(r.kept) == r.size {
		oldest = r.total % r.size
	}
	all := make([]Entry, 0, len(r.kept))
	return append(append(all, r.kept[oldest:]...), r.kept[:oldest]...)
}

// Total is the number of entries that were ever recorded, the forgotten ones
// included.
func (r *Ring) Total() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.total
}
