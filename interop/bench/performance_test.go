package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell/interop/perf"
)

func TestPick(t *testing.T) {
	for _, row := range []struct {
		name, only string
		want       []int
		wrong      bool
	}{
		{name: "nothing is all", only: ""},
		{name: "some", only: "4, 5", want: []int{4, 5}},
		{name: "a word", only: "four", wrong: true},
		{name: "beyond the last", only: "9", wrong: true},
		{name: "before the first", only: "0", wrong: true},
	} {
		got, err := pick(row.only)
		require.Equal(t, row.wrong, err != nil, row.name)
		require.Equal(t, row.want, got, row.name)
	}
}

func TestTheReportNamesTheCommandThatWritesIt(t *testing.T) {
	const whole = "go run ./bench -performance ../docs/performance.md"
	require.Equal(t, whole, command("", perf.Settings{}))
	require.Equal(t, whole+" -only 4,5 -rounds 9 -cpu", command("4,5", perf.Settings{Rounds: 9, CPU: true}))
}
