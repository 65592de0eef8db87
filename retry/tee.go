package retry

// Tee returns a ledger that hands each entry to all the given ones, in order. A
// nil one is skipped.
func Tee(ledgers ...Ledger) Ledger {
	var all tee
	for _, l := range ledgers {
		if l != nil {
			all = append(all, l)
		}
	}
	return all
}

type tee []Ledger

func (t tee) Record(e Entry) {
	for _, l := range t {
		l.Record(e)
	}
}
