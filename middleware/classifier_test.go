package middleware_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/clock"
	"github.com/endwell-go/endwell/middleware"
)

func classifier() endwell.Middleware { return middleware.Classifier(middleware.ClassifierConfig{}) }

func TestClassifier(t *testing.T) {
	for _, row := range []struct {
		fault             string
		in                error
		opened, unopened  endwell.Fault
		category, refused endwell.Category // from Recv, from Open
		transient         bool
	}{
		{"reset", errReset, endwell.Broken, endwell.Unreachable, endwell.Network, endwell.Network, true},
		{"unexpected EOF", io.ErrUnexpectedEOF, endwell.Broken, endwell.Unreachable, endwell.Network, endwell.Network, true},
		{"somebody's own deadline", context.DeadlineExceeded, endwell.Broken, endwell.Unreachable, endwell.Timeout, endwell.Timeout, true},
		{"somebody's own cancellation", context.Canceled, endwell.Broken, endwell.Unreachable, endwell.Network, endwell.Network, true},
		{"refused", outOfBand, endwell.Refused, endwell.Refused, endwell.Overloaded, endwell.Overloaded, true},
		{"error frame", inBand, endwell.Faulted, endwell.Faulted, endwell.Overloaded, endwell.Overloaded, true},
		{
			"error frame that PayloadGuard found", (&endwell.Error{Fault: endwell.Faulted, Frame: 3}).WithOriginal(inBand),
			endwell.Faulted, endwell.Faulted, endwell.Overloaded, endwell.Overloaded, true,
		},
	} {
		check := func(t *testing.T, err error, fault endwell.Fault, category endwell.Category, emitted bool) {
			e := requireError(t, err)
			require.Equal(t, fault, e.Fault)
			require.Equal(t, category, e.Category)
			require.Equal(t, row.transient, e.Transient)
			require.Equal(t, row.transient && !emitted, e.Retryable)
			require.Equal(t, "acme", e.Provider)
			require.Equal(t, "small-1", e.Model)
			require.NotErrorIs(t, err, context.Canceled, "nobody takes it for the caller's stop")
		}
		t.Run(row.fault, func(t *testing.T) {
			_, ending := through(t, classifier(), say(role), end(row.in))
			check(t, ending, row.opened, row.category, false)
		})
		t.Run(row.fault+" after an emission", func(t *testing.T) {
			_, ending := through(t, classifier(), say(thought), end(row.in))
			check(t, ending, row.opened, row.category, true)
		})
		t.Run(row.fault+" from Open", func(t *testing.T) {
			s, err := classifier()(refusing(t, row.in)).Open(t.Context(), request)
			require.Nil(t, s)
			check(t, err, row.unopened, row.refused, false)
		})
	}
}

// Rule 6: what has a category keeps it, and everything else that it says.
func TestClassifierKeepsWhatIsClassified(t *testing.T) {
	for _, in := range []*endwell.Error{
		{Fault: endwell.Stalled, Category: endwell.Timeout, Transient: true, Bound: endwell.BoundIdle, Waited: time.Minute},
		{Fault: endwell.Truncated, Category: endwell.MalformedResponse, Transient: true},
		{Fault: endwell.Refused, Category: endwell.RateLimited, Transient: true, RetryAfter: time.Second, Status: 418},
		{Fault: endwell.Empty, Category: endwell.RequestInvalid, Provider: "other", Model: "other-1"},
	} {
		for _, err := range []error{in, fmt.Errorf("wrapped: %w", in.WithOriginal(outOfBand))} {
			_, ending := through(t, classifier(), say(hello), end(err))
			e := requireError(t, ending).WithOriginal(nil)
			want := *in
			if want.Provider == "" {
				want.Provider, want.Model = "acme", "small-1"
			}
			require.Equal(t, &want, e)
		}
	}
	require.Empty(t, stubborn.Provider, "a shared error was changed")
}

func TestClassifierConfig(t *testing.T) {
	clk := clock.NewFake(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	mw := middleware.Classifier(middleware.ClassifierConfig{Clock: clk, Dialect: "zai"})
	late := &endwell.Evidence{Status: 429, Header: http.Header{"Retry-After": {"Thu, 01 Jan 2026 00:00:07 GMT"}}}
	_, ending := through(t, mw, end(late))
	require.Equal(t, 7*time.Second, requireError(t, ending).RetryAfter, "the date counts from the clock")

	clk.Advance(2 * time.Second)
	_, err := mw(refusing(t, late)).Open(t.Context(), request)
	require.Equal(t, 5*time.Second, requireError(t, err).RetryAfter)

	_, ending = through(t, mw, end(&endwell.Evidence{InBand: true, Code: "1113"}))
	require.Equal(t, endwell.QuotaExhausted, requireError(t, ending).Category, "a code of the dialect")
	_, ending = through(t, classifier(), end(&endwell.Evidence{InBand: true, Code: "1113"}))
	require.NotEqual(t, endwell.QuotaExhausted, requireError(t, ending).Category, "and of no other")
}

func TestClassifierCallerEndings(t *testing.T) {
	t.Run("a chunk came, but the caller has gone", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		s, _ := classifier()(mocked(t, say(role), say(hello))).Open(ctx, request)
		_, _ = s.Recv()
		cancel()
		got, ending := drain(t, s)
		require.Empty(t, got)
		require.True(t, ending == context.Canceled)
	})
	t.Run("a chunk came, but an outer guard has ended it", func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		s, _ := classifier()(mocked(t, say(hello))).Open(ctx, request)
		cancel(middleware.GuardCause(passing))
		_, ending := drain(t, s)
		require.True(t, ending == error(passing))
	})
	t.Run("a chunk came, but the caller has closed", func(t *testing.T) {
		s, _ := classifier()(mocked(t, say(hello))).Open(t.Context(), request)
		_ = s.Close()
		got, ending := drain(t, s)
		require.Empty(t, got)
		require.True(t, ending == endwell.ErrClosed)
	})
	for name, row := range map[string]struct{ cause, want error }{
		"canceled during Open":                       {nil, context.Canceled},
		"canceled with a cause during Open":          {errors.New("stop"), context.Canceled},
		"an outer guard ended it during Open":        {middleware.GuardCause(passing), passing},
		"closed further out, during Open":            {middleware.GuardCause(endwell.ErrClosed), endwell.ErrClosed},
		"another stream failed, as an errgroup says": {passing, context.Canceled},
		"another stream was closed":                  {endwell.ErrClosed, context.Canceled},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(t.Context())
			cancel(row.cause)
			s, err := classifier()(refusing(t, errReset)).Open(ctx, request)
			require.Nil(t, s)
			require.True(t, err == row.want, err)
		})
	}
}

func TestClassifierLetsThrough(t *testing.T) {
	letsThrough(t, classifier)
	_, ending := through(t, classifier(), say(hello), end(io.EOF))
	require.True(t, ending == io.EOF, ending)
	// A provider that says it was closed, when nobody closed it, has failed.
	_, ending = through(t, classifier(), say(hello), end(endwell.ErrClosed))
	require.Equal(t, endwell.Unclassified, requireError(t, ending).Category)
	obeysLink(t, classifier)
}

// A handler that breaks the contract of Open is named as what it is.
func TestClassifierNamesWhatFailedHere(t *testing.T) {
	nothing := endwell.NextFunc(func(context.Context, *endwell.Request) (endwell.Stream, error) { return nil, nil })
	for name, mw := range map[string]endwell.Middleware{
		"alone": middleware.Classifier(middleware.ClassifierConfig{}), "standard": middleware.Standard(middleware.Config{}),
	} {
		_, err := mw(nothing).Open(t.Context(), request)
		require.Contains(t, requireError(t, err).Error(), "unreachable: unclassified reason=no_stream", name)
	}
}
