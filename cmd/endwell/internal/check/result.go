package check

import (
	"errors"

	"github.com/endwell-go/endwell"
)

// The outcomes of a stream.
const (
	Whole    = "whole"
	Failed   = "failed"
	Canceled = "canceled"
)

// Result is what endwell says of one file. As JSON, a member that is absent is
// empty; a failed stream always has the members that say how.
type Result struct {
	File         string         `json:"file"`
	Dialect      string         `json:"dialect"`
	Outcome      string         `json:"outcome"`
	Fault        string         `json:"fault,omitempty"`
	Category     string         `json:"category,omitempty"`
	Transient    *bool          `json:"transient,omitempty"`
	Retryable    *bool          `json:"retryable,omitempty"`
	RetryAfterMS *int64         `json:"retry_after_ms,omitempty"`
	Status       int            `json:"status,omitempty"`
	Code         string         `json:"code,omitempty"`
	Type         string         `json:"type,omitempty"`
	RequestID    string         `json:"request_id,omitempty"`
	Key          string         `json:"key,omitempty"`
	Message      string         `json:"message,omitempty"`
	Text         string         `json:"text"`
	Reasoning    string         `json:"reasoning,omitempty"`
	ToolCalls    []toolCall     `json:"tool_calls,omitempty"`
	Finish       *finish        `json:"finish,omitempty"`
	Usage        *endwell.Usage `json:"usage,omitempty"`
	Chunks       int            `json:"chunks"`
	Incomplete   bool           `json:"incomplete,omitempty"`

	details string // what the message sends its reader to; for a terminal only
}

// unread is what JSON says of a file that cannot be played.
type unread struct {
	File  string `json:"file"`
	Error string `json:"error"`
}

type finish struct {
	Class endwell.Finish `json:"class"`
	Raw   string         `json:"raw,omitempty"`
}

type toolCall = endwell.ToolCall

// fill takes over what the stream said and how it ended.
func (r *Result) fill(c *endwell.Collector, err error) {
	r.Chunks = c.Chunks()
	if class, raw := c.Finish(); class != endwell.FinishNone {
		r.Finish = &finish{class, raw}
	}
	if u := c.Usage(); u != (endwell.Usage{}) {
		r.Usage = &u
	}
	if t := c.Transcript(); t != nil {
		r.Text, r.Reasoning, r.ToolCalls, r.Incomplete = t.Text, t.Reasoning, t.ToolCalls, t.Incomplete
		if r.Finish == nil && !t.Incomplete {
			r.Finish = &finish{Class: t.Finish}
		}
	}
	r.fail(err)
}

func (r *Result) fail(err error) {
	e, ok := asError(err)
	if !ok {
		r.Outcome = Whole
		if err != nil {
			r.Outcome = Canceled
		}
		return
	}
	wait := e.RetryAfter.Milliseconds()
	r.Outcome = Failed
	r.Fault, r.Category = e.Fault.String(), e.Category.String()
	r.Transient, r.Retryable, r.RetryAfterMS = &e.Transient, &e.Retryable, &wait
	r.Status, r.Code, r.Type, r.RequestID = e.Status, e.Code, e.Type, e.RequestID
	r.Key, r.Message = e.Key(), e.Message()
	var ev *endwell.Evidence
	if errors.As(e.Unredacted(), &ev) && ev.Finish != "" {
		r.Finish = &finish{endwell.FinishFault, ev.Finish}
	}
	if e.Category == endwell.Unclassified {
		r.details = details(e.Unredacted())
	}
}

// details is what a failure says itself.
func details(original error) string {
	var ev *endwell.Evidence
	switch {
	case errors.As(original, &ev) && ev.Message != "":
		return ev.Message
	case ev != nil:
		return string(ev.Body)
	case original != nil:
		return original.Error()
	default:
		return ""
	}
}
