package serve

import (
	"fmt"
	"net/http"
	"time"

	"github.com/endwell-go/endwell"
	et "github.com/endwell-go/endwell/endwelltest"
)

// verb is a step that has a name: how many words may follow it, and what they mean. A
// most of -1 has no end.
type verb struct {
	least, most int
	make        func(words) (step, error)
}

// read reads a line.
func read(ws words) (step, error) {
	name, rest := ws[0].text, ws[1:]
	v, ok := verbs[name]
	if name == "cut" {
		v, ok = verb{1, -1, cut}, true // it holds a step itself
	}
	switch {
	case !ok:
		return nil, fmt.Errorf("there is no step %q; endwell gateway -h lists them", name)
	case len(rest) < v.least:
		return nil, fmt.Errorf("%s needs more than %d words behind it", name, len(rest))
	case v.most >= 0 && len(rest) > v.most:
		return nil, fmt.Errorf("%s takes at most %d words behind it", name, v.most)
	}
	return v.make(rest)
}

var verbs = map[string]verb{
	"begin":     plain(et.Wire.Begin),
	"done":      plain(et.Wire.Done),
	"text":      {1, -1, said(et.Wire.Text)},
	"answer":    {1, -1, said(et.Wire.Answer)},
	"tool":      {2, -1, tool},
	"finish":    {0, 1, finish},
	"keepalive": {0, 2, keepAlive},
	"fault":     {0, 2, fault},
	"refuse":    {1, 3, refuse},
	"ending":    {1, 1, ending},

	"retry-after": lasting(et.RetryAfter),
	"status":      {1, 1, status},
	"header":      pair(et.Header),
	"trailer":     pair(et.Trailer),
	"early-hints": same(et.EarlyHints()),
	"gzip":        same(et.Gzip()),
	"page":        same(et.Page(http.StatusOK)),
	"write":       {1, 1, func(ws words) (step, error) { return always(et.Write(ws[0].text)), nil }},
	"raw":         {1, 1, func(ws words) (step, error) { return always(et.Raw(ws[0].text)), nil }},
	"garbage":     {1, 1, garbage},
	"flush":       same(et.Flush()),
	"delay":       lasting(et.Delay),
	"every":       lasting(et.Paced),
	"slowly":      lasting(et.Slowly),

	"end":          same(et.End()),
	"hang":         same(et.Hang()),
	"half-open":    same(et.HalfOpen()),
	"abort":        same(et.Abort()),
	"hangup":       same(et.Hangup()),
	"reset":        same(et.Reset()),
	"reset-stream": coded(et.ResetStream, 8),
	"goaway":       coded(et.GoAway, 2),
	"going-away":   coded(et.GoingAway, 0),
}

func always(s et.Step) step { return func(et.Wire) et.Step { return s } }

// same is a step without words.
func same(s et.Step) verb {
	return verb{0, 0, func(words) (step, error) { return always(s), nil }}
}

// plain is a step of a wire without words.
func plain(s func(et.Wire) et.Step) verb {
	return verb{0, 0, func(words) (step, error) { return s, nil }}
}

// said is a step of a wire that says pieces of text.
func said(s func(et.Wire, ...string) et.Step) func(words) (step, error) {
	return func(ws words) (step, error) {
		return func(w et.Wire) et.Step { return s(w, ws.pieces()...) }, nil
	}
}

// lasting is a step with a duration.
func lasting(s func(time.Duration) et.Step) verb {
	return verb{1, 1, func(ws words) (step, error) {
		d, err := ws.duration(0)
		return always(s(d)), err
	}}
}

// pair is a step with a name and a value.
func pair(s func(name, value string) et.Step) verb {
	return verb{2, 2, func(ws words) (step, error) { return always(s(ws[0].text, ws[1].text)), nil }}
}

// coded is a step with a code of HTTP/2.
func coded(s func(uint32) et.Step, none uint32) verb {
	return verb{0, 1, func(ws words) (step, error) {
		code, err := ws.code(0, none)
		return always(s(code)), err
	}}
}

func tool(ws words) (step, error) {
	return func(w et.Wire) et.Step { return w.ToolCall(ws[0].text, ws[1].text, ws[2:].texts()...) }, nil
}

func finish(ws words) (step, error) {
	return func(w et.Wire) et.Step { return w.Finish(ws.at(0, w.Word(endwell.FinishStop))) }, nil
}

func keepAlive(ws words) (step, error) {
	if len(ws) < 2 {
		n, err := ws.number(0, 1)
		return func(w et.Wire) et.Step { return et.Repeat(n, 0, w.KeepAlive()) }, err
	}
	n, err := ws.number(0, 1)
	if err != nil {
		return nil, err
	}
	every, err := ws.duration(1)
	return func(w et.Wire) et.Step { return et.Repeat(n, every, w.KeepAlive()) }, err
}

func fault(ws words) (step, error) {
	return func(w et.Wire) et.Step {
		return w.Fault(ws.at(0, w.Token(http.StatusInternalServerError)), ws.at(1, "The model failed."))
	}, nil
}

func refuse(ws words) (step, error) {
	code, err := ws.status()
	return func(w et.Wire) et.Step {
		return w.Refuse(code, ws.at(1, w.Token(code)), ws.at(2, "Refused: "+http.StatusText(code)+"."))
	}, err
}

func ending(ws words) (step, error) {
	e, ok := et.EndingByName(ws[0].text)
	if !ok {
		return nil, fmt.Errorf("there is no ending %q; the endings are %s", ws[0].text, endings())
	}
	return func(w et.Wire) et.Step { return e.Step(w) }, nil
}

func status(ws words) (step, error) {
	code, err := ws.status()
	return always(et.Status(code)), err
}

func garbage(ws words) (step, error) {
	n, err := ws.number(0, 0)
	if err == nil && n < 0 {
		err = fmt.Errorf("%d is no number of bytes", n)
	}
	return always(et.Garbage(n, 1)), err
}

// cut takes a step for what follows.
func cut(ws words) (step, error) {
	n, err := ws.number(0, 0)
	switch {
	case err != nil:
		return nil, err
	case n < 0:
		return nil, fmt.Errorf("%d is no number of bytes", n)
	case len(ws) == 1:
		return always(et.CutAt(n, et.Step{})), nil
	}
	then, err := read(ws[1:])
	if err != nil {
		return nil, err
	}
	return func(w et.Wire) et.Step { return et.CutAt(n, then(w)) }, nil
}
