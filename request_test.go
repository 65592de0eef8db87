package endwell_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
)

func TestRequestRendersNothingButItsNames(t *testing.T) {
	req := &endwell.Request{
		Agent: "writer", Provider: "openai", Model: "small",
		Payload: map[string]string{"prompt": "wombatfold"}, Secret: []string{secret}, Private: []string{"wombatfold"},
	}
	const want = `request(agent="writer" provider="openai" model="small")`
	for name, got := range map[string]string{
		"pointer": fmt.Sprint(req), "value": fmt.Sprint(*req), "error chain": fmt.Errorf("for %v", req).Error(),
		"in a struct": fmt.Sprintf("%+v", struct{ R *endwell.Request }{req}),
		"in a slice":  fmt.Sprintf("%#v", []endwell.Request{*req}),
		"json":        encoded(t, req), "json value": encoded(t, *req), "json member": encoded(t, map[string]any{"r": *req}),
		"slog text":       logged(func(b *bytes.Buffer) slog.Handler { return slog.NewTextHandler(b, nil) }, req),
		"slog json":       logged(func(b *bytes.Buffer) slog.Handler { return slog.NewJSONHandler(b, nil) }, req),
		"slog text value": logged(func(b *bytes.Buffer) slog.Handler { return slog.NewTextHandler(b, nil) }, *req),
		"slog in a slice": logged(func(b *bytes.Buffer) slog.Handler { return slog.NewJSONHandler(b, nil) }, []any{req}),
	} {
		require.NotContains(t, got, secret, name)
		require.NotContains(t, got, "wombatfold", name)
		require.Contains(t, got, "small", name)
	}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d", "%10v"} {
		require.Equal(t, want, fmt.Sprintf(verb, req), verb)
		require.Equal(t, want, fmt.Sprintf(verb, *req), verb)
	}
	require.Equal(t, want, req.String())
}

func encoded(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	require.NoError(t, err)
	return string(b)
}

// logged is a log line without its time.
func logged(h func(*bytes.Buffer) slog.Handler, v any) string {
	var b bytes.Buffer
	r := slog.NewRecord(time.Time{}, slog.LevelInfo, "call", 0)
	r.Add("v", v)
	_ = h(&b).Handle(context.Background(), r)
	return b.String()
}
