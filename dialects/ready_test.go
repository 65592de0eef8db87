package dialects

import (
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
)

// A stream is ready as long as the next Recv needs no read of the body.
func TestReady(t *testing.T) {
	body := io.MultiReader(strings.NewReader(frames(chatText("a"), chatText("b"))+"data: {"), strings.NewReader("}\n\ndata: x\n\n"))
	s := MustByName("openai").Stream(body, Options{}).(*reader)
	var got []string
	for {
		ready := "waits"
		if s.RecvReady() {
			require.True(t, s.RecvReady(), "asked twice")
			ready = "ready"
		}
		c, err := s.Recv()
		got = append(got, ready+" "+c.Kind.String()+" "+c.Text+string(c.Raw))
		if err != nil {
			break
		}
	}
	require.Equal(t, []string{
		"waits text a" + frames(chatText("a")), "ready text b" + frames(chatText("b")),
		"waits meta data: {}\n\n", "ready meta ",
	}, got)
	require.True(t, s.RecvReady())
}

func TestReadyOfADetectedStream(t *testing.T) {
	s := Detecting(iotest.HalfReader(bodyOf(frames(chatText("a"), chatText("b")))), "", "", Options{}).(*detecting)
	require.False(t, s.RecvReady())
	said := ""
	for {
		c, err := s.Recv()
		if err != nil {
			require.Equal(t, io.EOF, err)
			break
		}
		said += c.Text
	}
	require.Equal(t, "ab", said)
	require.True(t, s.RecvReady(), "the end is there")
}
