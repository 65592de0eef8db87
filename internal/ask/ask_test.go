package ask_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell/internal/ask"
)

func TestMay(t *testing.T) {
	for _, tc := range []struct {
		name, typ string
		want      bool
	}{
		{"JSON", "application/json", true},
		{"JSON with a charset", "application/json; charset=utf-8", true},
		{"JSON in capitals", "Application/JSON", true},
		{"JSON of a vendor", "application/vnd.test.v2+json", true},
		{"JSON behind white space", " application/json ;charset=utf-8", true},
		{"no type", "", true},
		{"a parameter without a type", "; charset=utf-8", true},
		{"curl's form", "application/x-www-form-urlencoded", true},
		{"form with a charset", "application/x-www-form-urlencoded; charset=utf-8", true},
		{"fetch's text", "text/plain;charset=UTF-8", true},
		{"an upload", "multipart/form-data; boundary=test", false},
		{"an upload whose boundary says JSON", "multipart/form-data; boundary=json", false},
		{"another text", "text/plainer", false},
		{"a page", "text/html", false},
		{"bytes", "application/octet-stream", false},
		{"an image", "image/png", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := &http.Request{Header: http.Header{"Content-Type": {tc.typ}}, Body: unread{t}}
			require.Equal(t, tc.want, ask.May(r))
		})
	}
}

func TestMayWithoutBody(t *testing.T) {
	header := http.Header{"Content-Type": {"application/json"}}
	require.False(t, ask.May(&http.Request{Header: header}))
	require.False(t, ask.May(&http.Request{Header: header, Body: http.NoBody}))
	require.True(t, ask.May(&http.Request{Body: io.NopCloser(strings.NewReader(""))}), "no header at all")
}

func TestMayAllocatesNothing(t *testing.T) {
	r := &http.Request{Header: http.Header{"Content-Type": {"application/json; charset=utf-8"}}, Body: unread{t}}
	require.Zero(t, testing.AllocsPerRun(100, func() { ask.May(r) }))
}

// unread is a body that nobody may read.
type unread struct{ t *testing.T }

func (u unread) Read([]byte) (int, error) {
	u.t.Error("the body was read")
	return 0, io.EOF
}

func (u unread) Close() error {
	u.t.Error("the body was closed")
	return nil
}

func TestMedia(t *testing.T) {
	for declared, want := range map[string]string{
		"text/event-stream":               "text/event-stream",
		"Text/Event-Stream; charset=utf8": "text/event-stream",
		"  application/json ;x":           "application/json",
		"":                                "",
		";":                               "",
	} {
		h := make(http.Header)
		h.Set("content-type", declared)
		require.Equal(t, want, ask.Media(h), "%q", declared)
	}
	require.Empty(t, ask.Media(nil))
	require.Empty(t, ask.Media(http.Header{"Content-Type": nil}))
}
