package js_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
)

// wrong says what is wrong with a client's conclusions; nothing when they are as they
// should be.
func (r row) wrong() (wrong []string) {
	for i, o := range r.outcomes[1:] {
		if why := r.judge(o, through[i] == heldBack); why != "" {
			wrong = append(wrong, through[i]+": "+why)
		}
	}
	return wrong
}

// judge says what is wrong with what the client concludes behind the proxy. Text that
// something in between holds back may be lost.
func (r row) judge(o outcome, held bool) string {
	direct := r.outcomes[0]
	switch {
	case o.Hung:
		return "it hangs"
	case r.client.chokes[r.ending.name]:
		return check(direct.Error != nil, "the SDK has learned to read it")
	case r.ending.whole():
		return check(o.Error == nil && o.Text == said, "%q, and the error is %+v", o.Text, o.Error)
	case r.ending.early && o.Text != "", !strings.HasPrefix(said, o.Text):
		return fmt.Sprintf("the text is %q, which was not said", o.Text)
	case !r.ending.early && !held && o.Text != said:
		return fmt.Sprintf("the text is %q, and more was said", o.Text)
	case r.client.blind && o.Text == "":
		return "" // the results say so
	case o.Error == nil:
		return "it takes the fault for an end"
	case r.ending.fault == endwell.Refused:
		return check(direct.Error != nil && *o.Error == *direct.Error, "%+v, and %+v without endwell", o.Error, direct.Error)
	default:
		return ""
	}
}

func check(ok bool, format string, args ...any) string {
	if ok {
		return ""
	}
	return fmt.Sprintf(format, args...)
}

// What the test of the clients would not let pass.
func TestJudge(t *testing.T) {
	failed := &failure{Name: "APIError", Code: "timeout"}
	other := &failure{Name: "APIError", Status: 502}
	var (
		whole   = ending{name: "whole"}
		cut     = ending{name: "cut", fault: endwell.Truncated}
		dropped = ending{name: "dropped", fault: endwell.Unreachable, early: true}
		refused = ending{name: "refused-429", fault: endwell.Refused, early: true}
		chokes  = client{chokes: map[string]bool{"whole": true}}
		blind   = client{blind: true}
	)
	for _, x := range []struct {
		name   string
		client client
		ending ending
		direct *failure
		got    outcome
		held   bool
		wrong  bool
	}{
		{name: "a whole answer", ending: whole, got: outcome{Text: said}},
		{name: "a false alarm", ending: whole, got: outcome{Text: said, Error: failed}, wrong: true},
		{name: "a whole answer without its last word", ending: whole, got: outcome{Text: "All's well"}, wrong: true},
		{name: "a hang", ending: cut, got: outcome{Text: said, Hung: true}, wrong: true},
		{name: "a fault", ending: cut, got: outcome{Text: said, Error: failed}},
		{name: "a fault that looks like an end", ending: cut, got: outcome{Text: said}, wrong: true},
		{name: "text lost", ending: cut, got: outcome{Text: "All's", Error: failed}, wrong: true},
		{name: "text held back", ending: cut, got: outcome{Text: "All's", Error: failed}, held: true},
		{name: "text made up", ending: cut, got: outcome{Text: "error", Error: failed}, wrong: true},
		{name: "text before any was said", ending: dropped, got: outcome{Text: "All's", Error: failed}, wrong: true},
		{name: "an early fault", ending: dropped, got: outcome{Error: failed}},
		{name: "an early fault that looks like an end", ending: dropped, wrong: true},
		{name: "an early fault, a blind program", client: blind, ending: dropped},
		{name: "a late fault, a blind program", client: blind, ending: cut, got: outcome{Text: said}, wrong: true},
		{name: "a refusal", ending: refused, direct: failed, got: outcome{Error: failed}},
		{name: "another refusal", ending: refused, direct: failed, got: outcome{Error: other}, wrong: true},
		{name: "an SDK that fails by itself", client: chokes, ending: whole, direct: failed, got: outcome{Error: failed}},
		{name: "an SDK that fails no more", client: chokes, ending: whole, got: outcome{Text: said}, wrong: true},
	} {
		t.Run(x.name, func(t *testing.T) {
			r := row{client: x.client, ending: x.ending, outcomes: []outcome{{Error: x.direct}}}
			require.Equal(t, x.wrong, r.judge(x.got, x.held) != "", r.judge(x.got, x.held))
		})
	}
}
