package soak

import (
	"time"

	"github.com/endwell-go/endwell/clock"
)

// quick is the clock of the gate, whose waits between two attempts would be most of a
// short run's time: it waits for a part of what it is told.
type quick struct{}

// part is by how much a wait is shortened.
const part = 16

// Now implements clock.Clock.
func (quick) Now() time.Time { return clock.System.Now() }

// AfterFunc implements clock.Clock.
func (quick) AfterFunc(d time.Duration, f func()) clock.Timer {
	return clock.System.AfterFunc(d/part, f)
}
