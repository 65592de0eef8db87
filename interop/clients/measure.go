package clients

import "sync"

// Row is what came of one client and one ending.
type Row struct {
	Client         Client
	Ending         Ending
	Plain, Guarded Outcome
}

// atOnce is how many calls are made at the same time; most of them wait.
const atOnce = 16

// Measure has each client go through each ending, as it is and guarded. The rows come
// in the order of the tables.
func Measure(clients []Client) []Row {
	var rows []Row
	for _, c := range clients {
		for _, e := range Endings() {
			rows = append(rows, Row{Client: c, Ending: e})
		}
	}
	var all sync.WaitGroup
	free := make(chan struct{}, atOnce)
	for i := range rows {
		free <- struct{}{}
		all.Go(func() {
			r := &rows[i]
			r.Plain, r.Guarded = Run(r.Client, r.Ending, false), Run(r.Client, r.Ending, true)
			<-free
		})
	}
	all.Wait()
	return rows
}
