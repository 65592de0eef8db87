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
// Above it the contract of endwell.Stream holds. It panics when it is applied to nil.
func Standard(cfg Config) endwell.Middleware {
	for _, c := range []*clock.Clock{&cfg.Stall.Clock, &cfg.Classify.Clock, &cfg.Retry.Clock} {
		if *c == nil {
			*c = cfg.Clock
		}
	}
	chain := endwell.Chain(
		RetryGate(cfg.Retry),
		Classifier(cfg.Classify),
		EmptyGate(cfg.Empty),
		ToolCallGuard(),
		SentinelCheck(cfg.Sentinel),
		StallGuard(cfg.Stall),
		PayloadGuard(),
	)
	return func(next endwell.Next) endwell.Next {
		if next == nil {
			panic("middleware: Standard needs a Next")
		}
		return chain(next)
	}
}
