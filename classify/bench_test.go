package classify_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/classify"
)

// BenchmarkErrorOfAHostileReport is the worst that 32 KiB of body, a long message
// and a long prompt can do.
func BenchmarkErrorOfAHostileReport(b *testing.B) {
	ev := &endwell.Evidence{
		Status: 400, Message: strings.Repeat("you exceeded your current quota ", 1<<12), Code: strings.Repeat("a-", 32), RequestID: strings.Repeat("ab", 64),
		Type: "t", Body: bytes.Repeat([]byte("["), 32<<10),
	}
	call := classify.Call{Dialect: "gemini", Request: &endwell.Request{Private: []string{strings.Repeat("abacad", 1<<15)}}}
	for b.Loop() {
		classify.Error(ev, call)
	}
}
