package dialects

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A chat stream is taken for what its host speaks, unless that is no chat: such hosts have
// an endpoint for chat besides.
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
		if d.Family() != FamilyChat {
			d = MustByName("compatible")
		}
		require.Equal(t, d, detected, h.host)
	}
	for _, host := range []string{"", "localhost", "api.openai.com.evil.test"} {
		_, ok := ByHost(host)
		require.False(t, ok, host)
	}
}
