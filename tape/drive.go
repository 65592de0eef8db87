package tape

import "time"

// patience is how many times one wait lets timers fire. Timers that set each
// other for ever would otherwise keep a driven wait from ending.
const patience = 1 << 18

// drive advances the clock to an instant of the tape, timer by timer. The
// timers of that instant fire first: a wait of exactly a bound has expired.
func (b *Body) drive(at time.Time) error {
	for range patience {
		if !b.fake.Now().Before(at) {
			return nil
		}
		if due, ok := b.fake.Next(); ok && !due.After(at) {
			b.fake.AdvanceTo(due)
		} else {
			b.fake.AdvanceTo(at)
		}
		if err := b.stopped(); err != nil {
			return err
		}
	}
	return ErrNeverEnds
}

// driveForever fires timer after timer until one of them ends the body.
func (b *Body) driveForever() error {
	for range patience {
		if err := b.stopped(); err != nil {
			return err
		}
		due, ok := b.fake.Next()
		if !ok {
			return ErrNeverEnds
		}
		b.fake.AdvanceTo(due)
	}
	return ErrNeverEnds
}
