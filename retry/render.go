package retry

import (
	"encoding/json"
	"log/slog"
	"time"

	"github.com/endwell-go/endwell"
)

// LogValue renders the entry as a group for slog. What is zero is absent.
func (e Entry) LogValue() slog.Value {
	at := []slog.Attr{
		slog.String("agent", e.Agent),
		slog.String("provider", e.Provider),
		slog.String("model", e.Model),
		slog.Int("attempt", e.Attempt),
		slog.String("ending", e.Ending.String()),
		slog.Duration("took", e.Took),
		slog.Duration("elapsed", e.Elapsed),
		slog.Bool("emitted", e.Emitted),
	}
	if e.Wait != 0 {
		at = append(at, slog.Duration("wait", e.Wait))
	}
	if e.Stop != 0 {
		at = append(at, slog.String("stop", e.Stop.String()))
	}
	if e.Usage != (endwell.Usage{}) {
		at = append(at, slog.Group("usage",
			slog.Int64("input", e.Usage.Input), slog.Int64("output", e.Usage.Output)))
	}
	if e.Err != nil {
		at = append(at, slog.Any("error", e.Err))
	}
	return slog.GroupValue(at...)
}

// MarshalJSON renders the entry as one object with snake_case names and whole
// milliseconds. What is zero is absent.
func (e Entry) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Time      time.Time      `json:"time"`
		Agent     string         `json:"agent"`
		Provider  string         `json:"provider,omitempty"`
		Model     string         `json:"model,omitempty"`
		Attempt   int            `json:"attempt"`
		Ending    Ending         `json:"ending"`
		TookMS    int64          `json:"took_ms"`
		ElapsedMS int64          `json:"elapsed_ms"`
		WaitMS    int64          `json:"wait_ms,omitempty"`
		Stop      Stop           `json:"stop,omitempty"`
		Emitted   bool           `json:"emitted"`
		Usage     endwell.Usage  `json:"usage,omitzero"`
		Error     *endwell.Error `json:"error,omitempty"`
	}{
		e.Time, e.Agent, e.Provider, e.Model, e.Attempt, e.Ending,
		e.Took.Milliseconds(), e.Elapsed.Milliseconds(), e.Wait.Milliseconds(),
		e.Stop, e.Emitted, e.Usage, e.Err,
	})
}
