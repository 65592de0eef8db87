package endwelltest

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// The bounds of what a path may ask for.
const (
	maxPieces = 10_000
	maxPause  = time.Hour
)

// NamedConfig configures [Named]. Its functions may be called from any number of
// goroutines.
type NamedConfig struct {
	// Ending is that of a request whose path names none; the zero Ending is whole.
	Ending Ending
	// Otherwise, when set, answers such a request in place of Ending.
	Otherwise func(*http.Request, Wire) Step
	// Wire says which wire a request speaks, whether it asks for a stream, and whether
	// there is such a wire; nil means [WireOf].
	Wire func(*http.Request) (w Wire, stream, ok bool)
}

// Named answers with the ending that the request's path names, in the wire of the
// rest of the path, so that a program in any language only needs another base URL:
//
//	g := endwelltest.NewGateway(endwelltest.Named(endwelltest.NamedConfig{}))
//	baseURL := g.URL + "/stalled/v1"
//
// In front of the name may stand after=N, for the number of pieces of text before the
// ending, at most 10000, and every=D, for a pause after each frame, as in
// /after=3/every=200ms/reset/v1/messages.
//
// A request that asks for no stream gets [Ending.Unary]. A path of no wire, and an
// ending that does not exist, are answered with 404 and a sentence.
func Named(cfg NamedConfig) Step {
	if cfg.Wire == nil {
		cfg.Wire = WireOf
	}
	return Choose(cfg.choose)
}

func (cfg NamedConfig) choose(r *http.Request) Step {
	how, err := readHow(r.URL.Path)
	if err != nil {
		return notFound(err.Error())
	}
	named := how.ending.Name != ""
	if !named {
		how.ending = cfg.Ending
	}
	if how.ending.deaf && (named || cfg.Otherwise == nil) {
		return how.ending.instead(OpenAI)
	}
	w, stream, ok := cfg.Wire(r)
	switch {
	case !ok:
		return notFound("no wire has the path " + strconv.Quote(r.URL.Path))
	case !named && cfg.Otherwise != nil:
		return Script(Paced(how.every), cfg.Otherwise(r, w))
	case stream:
		return Script(Paced(how.every), how.ending.Step(w, how.said()...))
	default:
		return how.ending.Unary(w, how.said()...)
	}
}

func notFound(why string) Step {
	return Document(http.StatusNotFound, "text/plain; charset=utf-8", "endwelltest: "+why+"\n")
}

// how is what a path says of an answer.
type how struct {
	ending Ending
	after  int // pieces of text; 0 for the usual ones
	every  time.Duration
}

// said is the pieces of text, nil for the usual ones.
func (h how) said() []string {
	said := make([]string, 0, h.after)
	for i := range h.after {
		said = append(said, wellKnown[i%len(wellKnown)])
	}
	return said
}

// readHow reads the elements of a path up to the name of an ending, or up to the
// beginning of a wire's own path: the ending has no name then.
func readHow(path string) (h how, err error) {
	for element := range strings.SplitSeq(strings.TrimPrefix(path, "/"), "/") {
		if e, ok := EndingByName(element); ok {
			h.ending = e
			return h, nil
		}
		key, value, setting := strings.Cut(element, "=")
		if !setting {
			if !slices.Contains(wireElements[:], element) {
				return h, fmt.Errorf("there is no ending %q; the endings are %s", element, endingNames())
			}
			return h, nil
		}
		if err := h.set(key, value); err != nil {
			return h, err
		}
	}
	return h, nil
}

// endingNames is the names of all endings.
func endingNames() string {
	all := make([]string, len(endings))
	for i, e := range endings {
		all[i] = e.Name
	}
	return strings.Join(all, ", ")
}

// set takes a setting.
func (h *how) set(key, value string) (err error) {
	switch key {
	case "after":
		h.after, err = strconv.Atoi(value)
		if err != nil || h.after < 1 || h.after > maxPieces {
			return fmt.Errorf("after=N needs a number from 1 to %d", maxPieces)
		}
	case "every":
		h.every, err = time.ParseDuration(value)
		if err != nil || h.every < 0 || h.every > maxPause {
			return fmt.Errorf("every=D needs a duration up to %v, such as 200ms", maxPause)
		}
	default:
		return fmt.Errorf("there is no setting %q, only after=N and every=D", key)
	}
	return nil
}

// wireElements are the elements with which paths of wires begin, behind whatever base
// URL clients take.
var wireElements = [...]string{
	"v1", "v1beta", "v1beta1", "v2", "api", "model", "models", "openai", "projects", "compatible-mode",
	"chat", "completions", "responses", "messages", "interactions",
}
