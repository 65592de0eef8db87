package scan

import (
	"bytes"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell/internal/jsonscan"
)

// ends holds TextEnd and NumberEnd against jsontext, wherever a string or a number
// might begin in doc.
func ends(t testing.TB, doc []byte) {
	for i, b := range doc[:min(len(doc), 64)] {
		if b == '"' || b == '-' || '0' <= b && b <= '9' {
			end(t, doc, i)
		}
	}
}

func end(t testing.TB, doc []byte, i int) {
	var got, extra int
	if doc[i] == '"' {
		got, _ = jsonscan.TextEnd(doc, i+1)
		extra = 1
	} else {
		got = jsonscan.NumberEnd(doc, i)
	}
	d := jsontext.NewDecoder(bytes.NewBuffer(doc[i:]), lax...)
	value, err := d.ReadValue()
	switch judge(err) {
	case valid:
		require.Equal(t, i+len(value), got+extra, "%q", doc[i:])
	case cut:
		require.Equal(t, len(doc), got, "%q", doc[i:])
	default:
		require.Negative(t, got, "%q", doc[i:])
	}
}
