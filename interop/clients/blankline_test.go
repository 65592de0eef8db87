package clients

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/endwelltest"
)

// A bound may end between the two line ends of a keep-alive. No SDK takes the half of
// it for more than the half of a keep-alive.
func TestHalfABlankLine(t *testing.T) {
	e := Ending{Ending: endwelltest.Ending{Fault: endwell.Stalled, Category: endwell.Timeout}}
	for _, c := range []Client{openaiChat, openaiResponses, goOpenAI, eino, anthropicMessages, fantasyAnthropic, gemini} {
		halves := []string{"\n", "\r\n", "\r\n\r", "\r\n\r\n\r"}
		if c.Wire == endwelltest.Gemini {
			halves = halves[1:] // its lines end with CRLF, and genai does not take them mixed
		}
		for _, half := range halves {
			t.Run(c.Name+"/"+strings.NewReplacer("\r", "CR", "\n", "LF").Replace(half), func(t *testing.T) {
				t.Parallel()
				g := endwelltest.NewGateway(endwelltest.Script(c.Wire.Begin(), c.Wire.Text(said...), endwelltest.Write(half), endwelltest.Hang()))
				defer g.Close()
				h, closeIdle := newClient(c, e, true)
				defer closeIdle()
				err := ask(c, g.URL, h)
				require.True(t, Row{Client: c, Ending: e}.known(err), "the error is %v", err)
			})
		}
	}
}

func ask(c Client, url string, h *http.Client) error {
	return c.Ask(context.Background(), url, h, func(string) bool { return true })
}
