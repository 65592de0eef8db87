package main

import (
	"context"
	"errors"

	"github.com/endwell-go/endwell"
)

// Agent answers questions with a model and tools, and keeps a transcript.
type Agent struct {
	Name  string // which is also the key of its retry policy
	Model string
	Key   string
	Next  endwell.Next // the chain
	Tools Tools
	Store *Store
	// Say, when set, is given each piece of answer text as it comes.
	Say func(text string)
}

// maxSteps bounds how often one question goes back to the model.
const maxSteps = 8

var errTooManySteps = errors.New("the model keeps calling tools")

// Ask puts a question and runs the model and its tools until there is an answer.
// When something was said, the transcript has it, marked incomplete if it was cut
// off. The error is the one of the stream.
func (a *Agent) Ask(ctx context.Context, question string) error {
	if _, err := a.Store.Insert(Row{Agent: a.Name, Role: "user", Text: question}); err != nil {
		return err
	}
	for range maxSteps {
		calls, err := a.turn(ctx)
		if err != nil || len(calls) == 0 {
			return err
		}
		for _, c := range calls {
			result := Row{Agent: a.Name, Role: "tool", CallID: c.ID, Text: a.Tools.Run(ctx, c)}
			if _, err := a.Store.Insert(result); err != nil {
				return err
			}
		}
	}
	return errTooManySteps
}

// turn is one call of the model. Its row is inserted with the first emission, so a
// call that says nothing leaves none. It returns the calls to run, which are there
// only when the stream ended whole.
func (a *Agent) turn(ctx context.Context) ([]endwell.ToolCall, error) {
	req, err := a.request()
	if err != nil {
		return nil, err
	}
	stream, err := a.Next.Open(ctx, req)
	if err != nil {
		return nil, err
	}
	row := Row{Agent: a.Name, Role: "assistant", Incomplete: true}
	var said endwell.Collector
	var broken error // of the store
	said.OnFirst = func(endwell.Chunk) {
		row.fill(said.Transcript())
		row.ID, broken = a.Store.Insert(row)
	}
	for chunk, err := range endwell.All(stream) {
		if err != nil {
			said.End(err)
			return nil, errors.Join(err, a.cut(row, said.Transcript(), err))
		}
		said.Add(chunk)
		if broken == nil && chunk.Emission() {
			broken = a.show(&row, chunk, said.Transcript())
		}
		if broken != nil {
			return nil, broken
		}
	}
	said.End(nil)
	row.fill(said.Transcript())
	return row.Calls, a.Store.Update(row)
}

// show passes text on and brings the row up to date.
func (a *Agent) show(row *Row, chunk endwell.Chunk, t *endwell.Transcript) error {
	row.fill(t)
	if a.Say != nil && chunk.Text != "" {
		a.Say(chunk.Text)
	}
	return a.Store.Update(*row)
}

// cut is what is left to write when an answer was cut off.
func (a *Agent) cut(row Row, t *endwell.Transcript, err error) error {
	if t == nil {
		return nil // nothing was said: there is no row
	}
	row.fill(t)
	row.Notice = notice(err)
	return a.Store.Update(row)
}

// fill takes over what a transcript holds; nil holds nothing.
func (r *Row) fill(t *endwell.Transcript) {
	if t != nil {
		r.Text, r.Calls, r.Incomplete = t.Text, t.ToolCalls, t.Incomplete
	}
}

// notice is what to tell the user about an error. A user who stopped the answer
// knows: that is no *endwell.Error, and there is nothing to tell.
func notice(err error) string {
	var e *endwell.Error
	if errors.As(err, &e) {
		return e.Message()
	}
	return ""
}

// request asks the model to go on with the transcript.
func (a *Agent) request() (*endwell.Request, error) {
	rows, err := a.Store.Rows(a.Name, 0)
	if err != nil {
		return nil, err
	}
	private := make([]string, 0, len(rows))
	for _, r := range rows {
		private = append(private, r.Text)
	}
	return &endwell.Request{
		Agent: a.Name, Provider: "the gateway", Model: a.Model,
		Payload: map[string]any{
			"model": a.Model, "stream": true, "messages": prompt(rows), "tools": offer(a.Tools),
		},
		Secret: []string{a.Key}, Private: private,
	}, nil
}
