package serve

import (
	"testing"

	"github.com/endwell-go/endwell/internal/leaktest"
)

func watch(t *testing.T) {
	t.Helper()
	leaktest.Check(t)
}
