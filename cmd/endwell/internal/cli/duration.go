package cli

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/endwell-go/endwell/middleware"
)

// DurationVar is that of flag.FlagSet, and says of a number that it has no unit.
func (s *Set) DurationVar(d *time.Duration, name string, value time.Duration, usage string) {
	*d = value
	s.Var((*duration)(d), name, usage)
}

// Bounds adds the flags of the stall guard.
func (s *Set) Bounds(b *middleware.Bounds) {
	const none = "; a negative `duration` is no bound"
	s.DurationVar(&b.First, "first", middleware.DefaultFirst, "stall bound until the first output, the wait for the answer included"+none)
	s.DurationVar(&b.Idle, "idle", middleware.DefaultIdle, "stall bound without any byte"+none)
	s.DurationVar(&b.Progress, "progress", middleware.DefaultProgress, "stall bound without further output, whatever else arrives"+none)
}

// duration is the value of a flag.
type duration time.Duration

// String implements flag.Value. It leaves out units that are zero.
func (d *duration) String() string {
	s := time.Duration(*d).String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}

// Set implements flag.Value.
func (d *duration) Set(s string) error {
	v, err := time.ParseDuration(s)
	switch {
	case err == nil:
		*d = duration(v)
		return nil
	case s != "" && strings.Trim(s, "+-.0123456789") == "":
		return fmt.Errorf("it wants a unit, such as %ss", s)
	default:
		return errors.New("it is no duration, such as 5s or 1m30s")
	}
}
