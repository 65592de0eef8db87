package classify_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/classify"
	"github.com/stretchr/testify/require"
)

func TestClassifiedErrorsStayAsTheyAre(t *testing.T) {
	mine := &endwell.Error{
		Fault: endwell.Stalled, Category: endwell.Timeout, Transient: true, Retryable: true, RetryAfter: time.Second,
		Provider: "p", Bound: endwell.BoundIdle, Waited: time.Minute,
	}
	before := *mine
	got := classify.Error(fmt.Errorf("x: %w", mine), classify.Call{
		Request: &endwell.Request{Provider: "other", Model: "m"}, Opened: true, Emitted: true,
	})
	require.Equal(t, before, *mine, "a shared error is not changed")
	require.NotSame(t, mine, got)
	require.Equal(t, endwell.Stalled, got.Fault)
	require.Equal(t, endwell.Timeout, got.Category)
	require.True(t, got.Transient)
	require.False(t, got.Retryable, "something was emitted")
	require.Equal(t, time.Second, got.RetryAfter)
	require.Equal(t, "p", got.Provider, "what is known is not overwritten")
	require.Equal(t, "m", got.Model)
	require.Equal(t, endwell.BoundIdle, got.Bound)
}

func TestRetryableIsOnlyLowered(t *testing.T) {
	mine := &endwell.Error{Fault: endwell.Broken, Category: endwell.Network, Transient: true}
	require.False(t, classify.Error(mine, classify.Call{}).Retryable)
	mine.Retryable, mine.Transient = true, false
	require.False(t, classify.Error(mine, classify.Call{}).Retryable, "Retryable means Transient first")
}

func TestMissingCategoryComesFromTheEvidence(t *testing.T) {
	ev := &endwell.Evidence{Dialect: "zai", InBand: true, Code: "1302", Type: "t", RetryAfter: "2s", Frame: 4, RequestID: "r1"}
	mine := (&endwell.Error{Fault: endwell.Faulted}).WithOriginal(ev)
	got := classify.Error(mine, classify.Call{Opened: true})
	require.Equal(t, endwell.Faulted, got.Fault)
	require.Equal(t, endwell.RateLimited, got.Category)
	require.True(t, got.Transient)
	require.True(t, got.Retryable)
	require.Equal(t, 2*time.Second, got.RetryAfter)
	require.Equal(t, "1302", got.Code)
	require.Equal(t, "t", got.Type)
	require.Equal(t, "r1", got.RequestID)
	require.Equal(t, 4, got.Frame)
	require.Same(t, ev, got.Unredacted())
	require.Zero(t, mine.Category)
}

func TestMissingFault(t *testing.T) {
	require.Equal(t, endwell.Broken, classify.Error(&endwell.Error{}, classify.Call{Opened: true}).Fault)
	require.Equal(t, endwell.Unreachable, classify.Error(&endwell.Error{}, classify.Call{}).Fault)
	cut := (&endwell.Error{}).WithOriginal(&endwell.Evidence{Kind: endwell.Cut, InBand: true})
	require.Equal(t, endwell.Truncated, classify.Error(cut, classify.Call{}).Fault)
}

func TestMissingCategoryOfAFault(t *testing.T) {
	for fault, want := range map[endwell.Fault]endwell.Error{
		endwell.Unreachable: {Category: endwell.Network, Transient: true},
		endwell.Refused:     {Category: endwell.Unclassified},
		endwell.Stalled:     {Category: endwell.Timeout, Transient: true},
		endwell.Broken:      {Category: endwell.Network, Transient: true},
		endwell.Truncated:   {Category: endwell.MalformedResponse, Transient: true},
		endwell.Faulted:     {Category: endwell.ServerError, Transient: true},
		endwell.Malformed:   {Category: endwell.MalformedResponse},
		endwell.Empty:       {Category: endwell.MalformedResponse, Transient: true},
	} {
		got := classify.Error(&endwell.Error{Fault: fault}, classify.Call{})
		require.Equal(t, want.Category, got.Category, fault)
		require.Equal(t, want.Transient, got.Transient, fault)
		require.Equal(t, want.Transient, got.Retryable, fault)
	}
	require.Equal(t, endwell.RateLimited, classify.Error(&endwell.Error{Fault: endwell.Refused, Status: 429}, classify.Call{}).Category)
}

type odd struct{ err error }

func (*odd) Error() string   { return "odd" }
func (o *odd) Unwrap() error { return o.err }

func TestNilsAndLoops(t *testing.T) {
	require.Nil(t, classify.Error(nil, classify.Call{}))
	require.Zero(t, classify.RetryAfter(nil, newYear))
	loop := &odd{}
	loop.err = loop
	for name, err := range map[string]error{
		"nil error":            (*endwell.Error)(nil),
		"nil evidence":         (*endwell.Evidence)(nil),
		"nil of somebody else": (*odd)(nil),
		"wrapped nil error":    fmt.Errorf("x: %w", (*endwell.Error)(nil)),
		"wrapped nil evidence": fmt.Errorf("x: %w", (*endwell.Evidence)(nil)),
		"joined nils":          errors.Join((*endwell.Evidence)(nil), (*odd)(nil)),
		"wraps itself":         loop,
		"end of file":          io.EOF,
	} {
		got := classify.Error(err, classify.Call{Opened: true})
		require.NotNil(t, got, name)
		require.Equal(t, endwell.Broken, got.Fault, name)
		if err == io.EOF {
			require.Equal(t, endwell.Network, got.Category, name)
		} else {
			require.Equal(t, endwell.Unclassified, got.Category, name)
			require.False(t, got.Transient, name)
		}
		require.NotErrorIs(t, got, io.EOF, name)
		require.Equal(t, err == io.EOF, errors.Is(got, io.ErrUnexpectedEOF), name)
	}
	require.Nil(t, classify.Error((*odd)(nil), classify.Call{}).Unredacted())
}

func TestTheFirstClassifiedErrorOfAJoinWins(t *testing.T) {
	ev := &endwell.Evidence{Status: 500}
	mine := &endwell.Error{Fault: endwell.Stalled, Category: endwell.Timeout}
	require.ErrorIs(t, classify.Error(errors.Join(ev, mine), classify.Call{}), endwell.Stalled)
}

func TestClassifiedErrorsLoseTokensThatThisCallForbids(t *testing.T) {
	mine := &endwell.Error{Fault: endwell.Faulted, Category: endwell.ServerError, Code: "wombatfold", Type: "server_error"}
	got := classify.Error(mine, classify.Call{Request: &endwell.Request{Private: []string{"tell me of wombatfold and others"}}})
	require.Empty(t, got.Code)
	require.Equal(t, "server_error", got.Type)
}

// What no transport says is nobody's network, and is not sent again.
func TestUnknownErrorsAreNotTheNetwork(t *testing.T) {
	_, number := strconv.Atoi("x")
	for name, err := range map[string]error{
		"a bug in an adapter": errors.New("index out of range"),
		"a number":            number,
		"a file":              os.ErrNotExist,
		"an SDK's own":        fmt.Errorf("sdk: %w", errors.New("status 401")),
	} {
		for _, opened := range []bool{true, false} {
			got := classify.Error(err, classify.Call{Opened: opened})
			require.Equal(t, endwell.Unclassified, got.Category, name)
			require.False(t, got.Transient || got.Retryable, name)
		}
	}
}

// A provider may name a fault or a category, and is taken at its word.
func TestFaultsAndCategoriesAsErrors(t *testing.T) {
	for _, row := range []struct {
		name      string
		err       error
		opened    bool
		fault     endwell.Fault
		category  endwell.Category
		transient bool
	}{
		{"category from Open", endwell.Overloaded, false, endwell.Refused, endwell.Overloaded, true},
		{"category from Recv", fmt.Errorf("sdk: %w", endwell.RateLimited), true, endwell.Faulted, endwell.RateLimited, true},
		{"category that is final", endwell.AuthInvalid, false, endwell.Refused, endwell.AuthInvalid, false},
		{"both", errors.Join(endwell.Unreachable, endwell.Timeout), true, endwell.Unreachable, endwell.Timeout, true},
		{"broken", errors.Join(endwell.Broken, errors.New("x")), true, endwell.Broken, endwell.Network, true},
		{"another fault", errors.Join(endwell.Malformed, errors.New("x")), true, endwell.Malformed, endwell.Unclassified, false},
	} {
		got := classify.Error(row.err, classify.Call{Opened: row.opened})
		require.Equal(t, row.fault, got.Fault, row.name)
		require.Equal(t, row.category, got.Category, row.name)
		require.Equal(t, row.transient, got.Transient, row.name)
		require.Equal(t, row.transient, got.Retryable, row.name)
	}
}
