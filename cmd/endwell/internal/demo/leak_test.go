package demo

import (
	"testing"

	"github.com/endwell-go/endwell/internal/leaktest"
)

// quiet fails the test if something of it still runs when it is over.
func quiet(t *testing.T) {
	t.Helper()
	leaktest.Check(t)
}
