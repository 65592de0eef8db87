package retry

import (
	"fmt"
	"maps"

	"github.com/endwell-go/endwell"
)

// Always returns a lookup that gives every request the same policy. A nil policy
// means no retry. It panics when the policy is invalid.
func Always(p *Policy) func(*endwell.Request) *Policy {
	must(p, "policy")
	return func(*endwell.Request) *Policy { return p }
}

// ByAgent returns a lookup that finds a request's policy by its Agent, and other
// for an agent that is not in the map. A nil policy, here or there, means no
// retry. The map is copied. ByAgent panics when one of the policies is invalid.
func ByAgent(agents map[string]*Policy, other *Policy) func(*endwell.Request) *Policy {
	must(other, "other policy")
	for name, p := range agents {
		must(p, fmt.Sprintf("policy of agent %q", name))
	}
	agents = maps.Clone(agents)
	return func(req *endwell.Request) *Policy {
		if p, ok := agents[req.Agent]; ok {
			return p
		}
		return other
	}
}

func must(p *Policy, what string) {
	if err := p.Validate(); err != nil {
		panic(fmt.Sprintf("%s: %v", what, err))
	}
}
