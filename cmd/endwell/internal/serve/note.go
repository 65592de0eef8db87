package serve

import (
	"log"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/endwelltest"
)

// note is the line of the log about one request: what it plays, and with what status.
// It is written before that is played, since many endings have no end.
type note struct {
	log          *log.Logger
	method, path string // without the query, which may hold a key
	said         bool
}

// says writes the line; a status of 0 is none.
func (n *note) says(status int, playing string) {
	n.said = true
	text := "no status"
	if status != 0 {
		text = strconv.Itoa(status)
	}
	n.log.Printf("%s %q %s %s", n.method, n.path, text, playing)
}

// of is the answer by the path, which is noted.
func (n *note) of(cfg endwelltest.NamedConfig) endwelltest.Step {
	e, named := inPath(n.path)
	scripted := !named && cfg.Otherwise != nil
	if !named {
		e = cfg.Ending
	}
	// This one is played without a question for the wire.
	if e.Name == "unread" && !scripted {
		n.says(0, e.Name)
	}
	wire := cfg.Wire
	cfg.Wire = func(r *http.Request) (endwelltest.Wire, bool, bool) {
		w, stream, ok := wire(r)
		switch {
		case !ok:
			n.says(http.StatusNotFound, "no such path")
		case scripted:
			n.log.Printf("%s %q script", n.method, n.path)
			n.said = true
		default:
			n.says(statusOf(e, stream), e.Name)
		}
		return w, stream, ok
	}
	return endwelltest.Script(endwelltest.Named(cfg), endwelltest.Choose(n.rest))
}

// rest notes what nothing was played for.
func (n *note) rest(*http.Request) endwelltest.Step {
	if !n.said {
		n.says(http.StatusNotFound, "no such ending or setting")
	}
	return endwelltest.Step{}
}

// inPath finds the ending that a path names, behind its settings.
func inPath(path string) (endwelltest.Ending, bool) {
	for element := range strings.SplitSeq(strings.TrimPrefix(path, "/"), "/") {
		if e, ok := endwelltest.EndingByName(element); ok {
			return e, true
		}
		if !strings.Contains(element, "=") {
			break
		}
	}
	return endwelltest.Ending{}, false
}

// headless are the endings without a response.
var headless = []string{"silent", "unread", "slow-header", "endless-header", "dropped", "not-http"}

// statusOf is what an ending begins with; 0 is no response.
func statusOf(e endwelltest.Ending, stream bool) int {
	code, refused := strings.CutPrefix(e.Name, "refused-")
	switch {
	case refused:
		n, _ := strconv.Atoi(code)
		return n
	case slices.Contains(headless, e.Name):
		return 0
	case !stream && e.Fault == endwell.Faulted:
		return http.StatusInternalServerError
	default:
		return http.StatusOK
	}
}
