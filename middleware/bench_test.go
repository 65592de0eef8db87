package middleware_test

import (
	"testing"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/middleware"
)

// BenchmarkRecv is the cost of one chunk; "none" is what the measurement itself
// costs.
func BenchmarkRecv(b *testing.B) {
	none := func(n endwell.Next) endwell.Next { return n }
	b.Run("none", func(b *testing.B) { benchmarkRecv(b, none) })
	for _, d := range decorators {
		b.Run(d.name, func(b *testing.B) { benchmarkRecv(b, d.mw) })
	}
	b.Run("Detach", func(b *testing.B) { benchmarkRecv(b, middleware.Detach()) })
}

func benchmarkRecv(b *testing.B, mw endwell.Middleware) {
	s, err := mw(&replay{hello}).Open(b.Context(), request)
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.Recv(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkCall is the cost of opening and closing a stream.
func BenchmarkCall(b *testing.B) {
	for _, d := range decorators {
		b.Run(d.name, func(b *testing.B) {
			next := d.mw(&replay{hello})
			b.ReportAllocs()
			for b.Loop() {
				s, err := next.Open(b.Context(), request)
				if err != nil {
					b.Fatal(err)
				}
				_ = s.Close()
			}
		})
	}
}
