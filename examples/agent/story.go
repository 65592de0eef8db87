package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/dialects"
	"github.com/endwell-go/endwell/endwelltest"
	"github.com/endwell-go/endwell/middleware"
	"github.com/endwell-go/endwell/retry"
	"github.com/endwell-go/endwell/transport"
)

const (
	model = "test-model"
	key   = "sk-test-not-a-real-key"
)

// scene is one question, how the gateway answers it, and what is then claimed.
type scene struct {
	title    string
	agent    string
	question string
	answers  []endwelltest.Step
	stop     bool            // the user stops the answer at its first word
	leave    chan<- struct{} // the user stops waiting once the gateway takes from it; nil for never
	idle     time.Duration   // the bound on silence; 0 for the default
	claims   func(*result) []claim
}

// claim is a sentence, and whether it is so.
type claim struct {
	says string
	so   bool
}

// result is what a scene left behind.
type result struct {
	err      error
	rows     []Row // that the question added
	requests []endwelltest.Request
	ledger   []retry.Entry // the scene's
}

// last is the last row; the question itself when nothing was said.
func (r *result) last() Row { return r.rows[len(r.rows)-1] }

func (r *result) roles() string {
	var roles []string
	for _, row := range r.rows {
		roles = append(roles, row.Role)
	}
	return strings.Join(roles, " ")
}

// stage is where scenes are played: one chain for two agents.
type stage struct {
	gateway *endwelltest.Gateway
	store   *Store
	ledger  *retry.Ring
	agents  map[string]*Agent
	idle    time.Duration // the scene's
}

// newStage sets up the chain. Only the writer has a retry policy.
func newStage(database string, answers []endwelltest.Step) (*stage, error) {
	store, err := OpenStore(database)
	if err != nil {
		return nil, err
	}
	s := &stage{gateway: endwelltest.NewGateway(answers...), store: store, ledger: retry.NewRing(100)}
	policy := retry.Default()
	policy.Ledger = s.ledger
	next := middleware.Standard(middleware.Config{
		// Short only where nothing comes: elsewhere a slow machine would make a silence of it.
		Stall: middleware.StallConfig{For: func(*endwell.Request) middleware.Bounds { return middleware.Bounds{Idle: s.idle} }},
		Retry: middleware.RetryConfig{Policy: retry.ByAgent(map[string]*retry.Policy{"writer": policy}, nil)},
	})(transport.New(transport.Config{
		URL:     s.gateway.URL + "/v1/chat/completions",
		Dialect: dialects.MustByName("openai"),
		Client:  s.gateway.Client(),
		Header:  http.Header{"Authorization": {"Bearer " + key}},
	}))
	tools := Tools{"weather": {
		Description: "The weather in a city.",
		Parameters:  `{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}`,
		Run:         weather,
	}}
	s.agents = map[string]*Agent{}
	for _, name := range []string{"writer", "clerk"} {
		s.agents[name] = &Agent{Name: name, Model: model, Key: key, Next: next, Tools: tools, Store: store}
	}
	return s, nil
}

// close ends the stage.
func (s *stage) close() error {
	s.gateway.Close()
	return s.store.Close()
}

// play plays one scene.
func (s *stage) play(sc scene) (*result, error) {
	agent := s.agents[sc.agent]
	before, err := s.store.Rows(sc.agent, 0)
	if err != nil {
		return nil, err
	}
	var after int64
	if n := len(before); n > 0 {
		after = before[n-1].ID
	}
	asked, noted := s.gateway.Count(), s.ledger.Total()

	var user sync.WaitGroup
	defer user.Wait()
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	user.Go(func() {
		select {
		case sc.leave <- struct{}{}:
			stop()
		case <-ctx.Done():
		}
	})
	s.idle = sc.idle
	agent.Say = nil
	if sc.stop {
		agent.Say = func(string) { stop() }
	}
	r := &result{err: agent.Ask(ctx, sc.question)}
	if r.rows, err = s.store.Rows(sc.agent, after); err != nil {
		return nil, err
	}
	r.requests = s.gateway.Requests()[asked:]
	r.ledger = s.ledger.Snapshot()[noted:]
	return r, nil
}

// tell plays the whole story and writes it down. It reports whether everything that
// it claims is so.
func tell(w io.Writer, database string) (so bool, err error) {
	var answers []endwelltest.Step
	for _, sc := range scenes {
		answers = append(answers, sc.answers...)
	}
	s, err := newStage(database, answers)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	so = true
	for i, sc := range scenes {
		r, err := s.play(sc)
		if err != nil {
			return false, err
		}
		_, _ = fmt.Fprintf(w, "%d. %s\n", i+1, sc.title)
		show(w, r)
		for _, c := range append(sc.claims(r), everywhere(sc, r)...) {
			mark := "ok"
			if !c.so {
				mark, so = "NOT SO", false
			}
			_, _ = fmt.Fprintf(w, "   [%s] %s\n", mark, c.says)
		}
		_, _ = fmt.Fprintln(w)
	}
	return so, nil
}

// show renders rows as an application would: the notice beside the text.
func show(w io.Writer, r *result) {
	for _, row := range r.rows {
		text := row.Text
		for _, c := range row.Calls {
			text += fmt.Sprintf("<%s %s>", c.Name, c.Arguments)
		}
		if row.Incomplete {
			text += "   (incomplete)"
		}
		_, _ = fmt.Fprintf(w, "   %-9s | %s\n", row.Role, text)
		if row.Notice != "" {
			_, _ = fmt.Fprintf(w, "   %-9s ! %s\n", "", row.Notice)
		}
	}
	if said := notice(r.err); said != "" && r.last().Role == "user" {
		_, _ = fmt.Fprintf(w, "   %-9s ! %s\n", "", said)
	}
}

// everywhere is claimed of every scene.
func everywhere(sc scene, r *result) []claim {
	kept := true
	for _, row := range r.rows {
		kept = kept && (row.Role != "assistant" || row.Text != "" || len(row.Calls) > 0) &&
			!strings.Contains(row.Text, "endwell") && (row.Notice == "" || !strings.Contains(row.Text, row.Notice))
	}
	return []claim{
		{fmt.Sprintf("requests: %d", len(sc.answers)), len(r.requests) == len(sc.answers)},
		{"every answer in the transcript says something, and no error", kept},
	}
}
