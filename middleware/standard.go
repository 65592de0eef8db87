package middleware

import (
	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/clock"
)

// Config configures Standard. The zero value is the documented default of each
// decorator, and no retry.
type Config struct {
	Stall    StallConfig
	Sentinel SentinelConfig
	Empty    EmptyConfig
	Classify ClassifierConfig
	Retry    RetryConfig
	// Clock is the clock of every decorator that has none of its own; nil means
	// clock.System.
	Clock clock.Clock
}

// Standard is the whole stack in its order:
//
//	RetryGate( Classifier( EmptyGate( ToolCallGuard( SentinelCheck( StallGuard( PayloadGuard( provider )))))))
//
// Above it the contract of endwell.Stream holds. All but the gate share one block of
// memory, so it is cheaper than the chain of the same decorators, and gives the same. It panics when it is applied to nil.
func Standard(cfg Config) endwell.Middleware {
	for _, c := range []*clock.Clock{&cfg.Stall.Clock, &cfg.Classify.Clock, &cfg.Retry.Clock} {
		if *c == nil {
			*c = cfg.Clock
		}
	}
	if cfg.Classify.Clock == nil {
		cfg.Classify.Clock = clock.System
	}
	stack := &stack{stall: cfg.Stall.filled(), sentinel: cfg.Sentinel, empty: cfg.Empty, classify: cfg.Classify}
	chain := endwell.Chain(RetryGate(cfg.Retry), stack.wrap)
	return func(next endwell.Next) endwell.Next {
		if next == nil {
			panic("middleware: Standard needs a Next")
		}
		return chain(next)
	}
}
