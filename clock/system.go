package clock

import "time"

// System is the clock of package time: monotonic where the platform is, and
// faked by a testing/synctest bubble when it is used inside one. It holds no
// state and adds nothing to the cost of package time.
var System Clock = system{}

type system struct{}

func (system) Now() time.Time { return time.Now() }

func (system) AfterFunc(d time.Duration, f func()) Timer { return time.AfterFunc(d, f) }
