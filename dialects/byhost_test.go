package dialects

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A host speaks what a chat stream from it would be taken for.
func TestByHost(t *testing.T) {
	for _, h := range hosts {
		d, ok := ByHost("x" + h.host)
		if h.host[0] != '.' {
			require.False(t, ok, h.host)
			d, ok = ByHost(h.host)
		}
		require.True(t, ok, h.host)
		detected, _ := Detect("", h.host, []byte("data: {\"choices\":[{}]}\n\n"))
		require.Equal(t, h.name, d.Name())
		require.Equal(t, detected, d)
	}
	for _, host := range []string{"", "localhost", "api.openai.com.evil.test"} {
		_, ok := ByHost(host)
		require.False(t, ok, host)
	}
}
