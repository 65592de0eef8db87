package token_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/endwell-go/endwell/internal/token"
	"github.com/stretchr/testify/require"
)

func TestShape(t *testing.T) {
	for s, want := range map[string]bool{
		"invalid_api_key": true, "Throttling.RateQuota": true, "a": true, "A-1": true,
		strings.Repeat("a", token.MaxLen): true, strings.Repeat("a", token.MaxLen+1): false,
		"": false, "429": false, "_x": false, "two words": false, "a:b": false, "a/b": false, "umlaut\u00e4": false, "a\n": false,
		"sk-test-not-a-real-key": false, "SK-TEST": false, "AIzaNotReal": false, "gsk_not": false, "eyJhbGciOi": false,
		"key_sk-not-real": false, "x.xai-not-real": false, "risk-level": true, "task_failed": true,
	} {
		require.Equal(t, want, token.Shape(s), "%q", s)
	}
}

func TestIDShape(t *testing.T) {
	for s, want := range map[string]bool{
		"req_011Ca7": true, "0f8e-1:2": true, "8a1c-FRA": true, strings.Repeat("a", 2*token.MaxLen): true,
		strings.Repeat("a", 2*token.MaxLen+1): false, "": false, "-a": false, "a b": false, "sk-test-not-real": false,
	} {
		require.Equal(t, want, token.IDShape(s), "%q", s)
	}
}

func TestLeaks(t *testing.T) {
	secret := []string{"zqjxkvwy0123456789", "abc"}
	private := []string{"tell me of the wombatfold", "no"}
	for s, want := range map[string]bool{
		"":                            false,
		"invalid_api_key":             false,
		"zqjxkvwy0123456789":          true,
		"err_ZQJX":                    true,
		"zqjxkvwy":                    true,
		"ends_6789":                   true,
		"mid_kvwy0123":                true,
		"mid_kvwy012":                 false,
		"abc":                         false,
		"wombatfold":                  true,
		"womb":                        true,
		"wom":                         false,
		"a_wombatfo_b":                false,
		"no":                          false,
		"xtell me of the wombatfoldx": true,
	} {
		require.Equal(t, want, token.Leaks(s, secret, private), "%q", s)
	}
}

func TestOverlaps(t *testing.T) {
	private := []string{"short", "tell me of the WOMBATFOLD"}
	for s, want := range map[string]bool{
		"a_wombatfo_b": true, "a_wombatf_b": false, "a_wombat_b": false, "": false, "short": false,
	} {
		require.Equal(t, want, token.Overlaps(s, private), "%q", s)
	}
}

func TestRegister(t *testing.T) {
	a, b := token.Register("zqjxkvwy-one"), token.Register("ZQJXKVWY-one")
	require.True(t, token.Leaks("x_zqjx", nil, nil))
	a()
	a()
	require.True(t, token.Leaks("x_zqjx", nil, nil), "one of two is still held")
	b()
	require.False(t, token.Leaks("x_zqjx", nil, nil))
	token.Register("abc")()
	require.False(t, token.Leaks("abc", nil, nil))
}

func TestRegisterConcurrently(t *testing.T) {
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 100 {
				release := token.Register("zqjxkvwy-two")
				_ = token.Leaks("zqjxkvwy", nil, nil)
				release()
			}
		})
	}
	wg.Wait()
	require.False(t, token.Leaks("zqjxkvwy", nil, nil))
}

func TestName(t *testing.T) {
	require.Equal(t, "gpt-x", token.Name("gpt-x"))
	require.Equal(t, "a?bä 通义", token.Name("a\nb\u00e4 通义"))
	require.Equal(t, "a?b", token.Name("a\u202eb"), "no text that turns around")
	require.Equal(t, "a?b", token.Name("a\xffb"))
	require.Empty(t, token.Name("https://gateway.example/v1?key=x"), "a URL is no name")
	require.Len(t, token.Name(strings.Repeat("ä", 300)), 2*token.MaxLen)
	require.Len(t, token.Name(strings.Repeat("通", 300)), 126, "cut between characters")
	require.Len(t, token.Name(strings.Repeat("x", 500)), 2*token.MaxLen)
}

func TestVisible(t *testing.T) {
	require.Equal(t, "m", token.Visible("m", []string{"hunter2222"}))
	require.Empty(t, token.Visible("m-hunter2222", []string{"hunter2222"}))
}
