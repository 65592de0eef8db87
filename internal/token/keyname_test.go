package token

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNamesKey(t *testing.T) {
	for name, want := range map[string]bool{
		"Authorization": true, "x-api-key": true, "Helicone-Auth": true, "access_token": true, "Cookie": true,
		"Content-Type": false, "User-Agent": false, "model": false, "alt": false, "": false,
	} {
		require.Equal(t, want, NamesKey(name), name)
	}
}
