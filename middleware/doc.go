// Package middleware holds the decorators that make a stream end in one of the
// three ways of the contract:
//
//	RetryGate( Classifier( EmptyGate( ToolCallGuard( SentinelCheck( StallGuard( PayloadGuard( provider )))))))
//
// Standard is this order. Each decorator adds one concern, catches only the fault
// that it can recognise, and lets everything else through unchanged; each works
// alone, with any provider. What belongs to one call lives in the stream, so one
// chain serves any number of calls at once.
//
// Outside Standard stand, when used:
//
//   - Fallback asks other handlers, from an explicit list, before the first
//     emission.
//   - Observe reports each call once: times, counts, usage, ending.
//   - Log writes that report with log/slog.
//
// The order is Observe( Fallback( Standard( provider ))).
//
// The config of a decorator is a struct whose zero value is the documented
// default. A config that cannot be meant panics when the decorator is made, never
// during a call.
package middleware
