package proxy

import (
	"fmt"
	"sync/atomic"

	"github.com/VictoriaMetrics/metrics"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/middleware"
	"github.com/endwell-go/endwell/retry"
)

// firstBuckets are the upper bounds, in seconds, of the time to first emission.
var firstBuckets = []float64{0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 120, 300, 600}

// meter counts, for Prometheus:
//
//	endwell_streams_total{ending="whole|canceled|failed",fault,category}
//	endwell_retries_total
//	endwell_first_emission_seconds (a histogram)
//	endwell_open_streams
type meter struct {
	set     *metrics.Set
	open    atomic.Int64
	retries *metrics.Counter
	first   *metrics.PrometheusHistogram
}

func newMeter() *meter {
	metrics.ExposeMetadata(true)
	set := metrics.NewSet()
	m := &meter{
		set: set, retries: set.NewCounter("endwell_retries_total"),
		first: set.NewPrometheusHistogramExt("endwell_first_emission_seconds", firstBuckets),
	}
	set.NewGauge("endwell_open_streams", func() float64 { return float64(m.open.Load()) })
	for _, ending := range []retry.Ending{retry.EndingWhole, retry.EndingCanceled} {
		m.streams(ending)
	}
	return m
}

func (m *meter) streams(ending retry.Ending) *metrics.Counter {
	return m.set.GetOrCreateCounter(fmt.Sprintf(`endwell_streams_total{ending=%q}`, ending))
}

// ended counts a stream: one that failed, or else as the chain reports. Without a
// report the client has gone.
func (m *meter) ended(r *middleware.Report, failure *endwell.Error) {
	switch {
	case failure != nil:
		m.set.GetOrCreateCounter(fmt.Sprintf(`endwell_streams_total{ending=%q,fault=%q,category=%q}`,
			retry.EndingFailed, failure.Fault, failure.Category)).Inc()
	case r == nil:
		m.streams(retry.EndingCanceled).Inc()
	default:
		m.streams(r.Ending).Inc()
	}
	if r != nil && r.Emissions > 0 {
		m.first.Update(r.FirstEmission.Seconds())
	}
}

// Record implements retry.Ledger: a failed attempt that is not the last one is
// followed by a retry.
func (m *meter) Record(e retry.Entry) {
	if e.Ending == retry.EndingFailed && e.Stop == 0 {
		m.retries.Inc()
	}
}
