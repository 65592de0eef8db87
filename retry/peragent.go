package retry

import (
	"container/list"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// PerAgent is one bucket for each agent, so that one agent's outage does not use
// up another's retries. Make it with [NewPerAgent].
//
// Its memory is bounded. A bucket that is full again is as good as a new one and
// is dropped when its agent is the one that was quiet for longest. When as many
// buckets as Bucket.Agents are in use, the agents that come on top share one
// bucket until one becomes free, so that many names cannot buy many retries.
type PerAgent struct {
	size Bucket

	mu       sync.Mutex
	latest   time.Time
	agents   map[string]*list.Element
	order    list.List // of *bucket, the one that was quiet for longest first
	overflow *rate.Limiter
}

type bucket struct {
	*rate.Limiter
	agent string
}

// NewPerAgent returns a budget with a bucket of the given size for each agent. It
// panics when b is invalid.
func NewPerAgent(b Bucket) *PerAgent {
	b = b.orDefault()
	return &PerAgent{size: b, agents: map[string]*list.Element{}, overflow: b.limiter()}
}

// Take implements [Budget].
func (p *PerAgent) Take(agent string, now time.Time) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.latest = later(p.latest, now)
	p.drop()
	return take(p.of(agent), p.latest)
}

// Agents is the number of agents that have a bucket of their own right now.
func (p *PerAgent) Agents() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.agents)
}

func (p *PerAgent) of(agent string) *rate.Limiter {
	if at, ok := p.agents[agent]; ok {
		p.order.MoveToBack(at)
		return at.Value.(*bucket).Limiter
	}
	if len(p.agents) >= p.size.Agents {
		return p.overflow
	}
	b := &bucket{p.size.limiter(), agent}
	p.agents[agent] = p.order.PushBack(b)
	return b.Limiter
}

// drop removes up to two full buckets. Each Take adds at most one, so two are
// enough to shrink.
func (p *PerAgent) drop() {
	for range 2 {
		at := p.order.Front()
		if at == nil || at.Value.(*bucket).TokensAt(p.latest) < float64(p.size.Burst) {
			return
		}
		delete(p.agents, p.order.Remove(at).(*bucket).agent)
	}
}
