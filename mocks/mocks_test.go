package mocks_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/mock/gomock"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/clock"
	"github.com/endwell-go/endwell/mocks"
	"github.com/endwell-go/endwell/retry"
)

// The mocks are of these interfaces.
var (
	_ endwell.Next   = (*mocks.MockNext)(nil)
	_ endwell.Stream = (*mocks.MockStream)(nil)
	_ clock.Clock    = (*mocks.MockClock)(nil)
	_ clock.Timer    = (*mocks.MockTimer)(nil)
	_ retry.Ledger   = (*mocks.MockLedger)(nil)
	_ retry.Budget   = (*mocks.MockBudget)(nil)
)

// complaints notes what a controller reports.
type complaints struct{ all []string }

func (c *complaints) Errorf(format string, _ ...any) { c.all = append(c.all, format) }
func (c *complaints) Fatalf(format string, _ ...any) { panic(format) }

func TestMissingCallIsReported(t *testing.T) {
	var c complaints
	ctrl := gomock.NewController(&c)
	mocks.NewMockStream(ctrl).EXPECT().Close()
	require.Panics(t, ctrl.Finish)
	require.NotEmpty(t, c.all)
}

func TestUnexpectedCallIsReported(t *testing.T) {
	next := mocks.NewMockNext(gomock.NewController(&complaints{}))
	require.Panics(t, func() { _, _ = next.Open(context.Background(), nil) })
}

func TestRunOnMocks(t *testing.T) {
	ctrl := gomock.NewController(t)
	clk := mocks.NewMockClock(ctrl)
	budget := mocks.NewMockBudget(ctrl)
	ledger := mocks.NewMockLedger(ctrl)
	now := clock.Epoch
	clk.EXPECT().Now().DoAndReturn(func() time.Time { now = now.Add(time.Second); return now }).AnyTimes()
	budget.EXPECT().Take("writer", gomock.Any()).Return(false)
	ledger.EXPECT().Record(gomock.Any()).Do(func(e retry.Entry) {
		require.Equal(t, retry.StopBudget, e.Stop)
		require.Equal(t, time.Second, e.Took)
	})

	p := retry.Policy{MaxAttempts: 2, Budget: budget, Ledger: ledger}
	run := p.Start(clk, &endwell.Request{Agent: "writer"})
	run.Begin()
	_, final := run.Failed(&endwell.Error{Fault: endwell.Empty, Retryable: true}, endwell.Usage{})
	require.ErrorIs(t, final, retry.StopBudget)
	require.ErrorIs(t, final, endwell.Empty)
}
