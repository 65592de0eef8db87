package dialects

import (
	"sync"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/internal/jsonscan"
)

// counter is what a number in a record of usage counts.
type counter uint8

const (
	countNone counter = iota
	countInput
	countOutput
	countTotal
	countReasoning
	countCached
	countDetails // no number: an object with more of them
)

// of is the field of u that has the count.
func (c counter) of(u *endwell.Usage) *int64 {
	switch c {
	case countInput:
		return &u.Input
	case countOutput:
		return &u.Output
	case countTotal:
		return &u.Total
	case countReasoning:
		return &u.Reasoning
	default:
		return &u.Cached
	}
}

// counters are the names that a wire has for its counts: at the top of a record, and in
// the objects in it that have more.
type counters struct {
	top, details func(key []byte) counter
	// state is the count that a parser keeps, so that a template may not pass it over.
	state counter
}

// read reads the object that is due.
func (w *counters) read(c *jsonscan.Cursor, names func(key []byte) counter, u *endwell.Usage) {
	if !c.Object() {
		return
	}
	for key, ok := c.Key(); ok; key, ok = c.Key() {
		switch n := names(key); n {
		case countNone:
		case countDetails:
			w.read(c, w.details, u)
		default:
			*n.of(u) = readCount(c)
		}
	}
}

func readCount(c *jsonscan.Cursor) int64 {
	raw, _ := c.Num()
	return countOf(raw)
}

// countOf is the value of a number: 0 for one that is negative, or no whole one.
func countOf(raw []byte) int64 {
	n := int64(0)
	for _, b := range raw {
		if b < '0' || b > '9' || len(raw) > 18 {
			n, _ = jsonscan.Int(raw)
			return max(n, 0)
		}
		n = n*10 + int64(b-'0')
	}
	return n
}

// usageBlock has room for records of usage, so that not each is an allocation. A record
// is handed out once and is its receiver's.
type usageBlock struct {
	used    int
	records [15]endwell.Usage
}

var usageBlocks = sync.Pool{New: func() any { return new(usageBlock) }}

// newUsage returns a copy of u that is the receiver's.
func newUsage(u endwell.Usage) *endwell.Usage {
	b := usageBlocks.Get().(*usageBlock)
	r := &b.records[b.used]
	*r = u
	if b.used++; b.used < len(b.records) {
		usageBlocks.Put(b)
	}
	return r
}

// pushCount pushes counts, unless there are none.
func (d *reader) pushCount(u endwell.Usage) {
	if u != (endwell.Usage{}) {
		d.push(endwell.Chunk{Kind: endwell.KindUsage, Usage: newUsage(u)})
	}
}
