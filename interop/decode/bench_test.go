package decode_test

import (
	"testing"

	"github.com/endwell-go/endwell/interop/decode"
)

// BenchmarkDecode reads one answer of 1000 long frames with either side, for
// profiles; bench compares the sides.
func BenchmarkDecode(b *testing.B) {
	for _, p := range decode.Pairs() {
		body := p.Body(1000, decode.Long)
		for _, side := range []struct {
			name string
			read decode.Reader
		}{{"endwell", p.Endwell()}, {"sdk", p.Read}} {
			b.Run(p.Dialect+"/"+side.name, func(b *testing.B) {
				b.ReportAllocs()
				b.SetBytes(int64(body.Len()))
				for b.Loop() {
					if err := side.read(body.Open(nil), func(string) {}); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*body.Frames), "ns/frame")
			})
		}
	}
}
