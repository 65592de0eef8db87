package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/classify"
	"github.com/endwell-go/endwell/dialects"
	"github.com/endwell-go/endwell/middleware"
	"github.com/endwell-go/endwell/retry"
)

// set is the flags of a command, and what it says.
func set() (s *Set, b *middleware.Bounds, stdout, stderr *bytes.Buffer) {
	stdout, stderr, b = new(bytes.Buffer), new(bytes.Buffer), new(middleware.Bounds)
	s = New("test", "Usage: endwell test\n\nFlags:\n", stdout, stderr)
	s.Bounds(b)
	s.Tail = "The end.\n"
	return s, b, stdout, stderr
}

// Help is asked for and goes to standard output; what is wrong is one line.
func TestRead(t *testing.T) {
	for name, row := range map[string]struct {
		args        string
		code        int
		ok          bool
		out, errors string
	}{
		"nothing":                {"", 0, true, "", ""},
		"a flag":                 {"-idle 5s", 0, true, "", ""},
		"help":                   {"-h", 0, false, "Usage: endwell test\n", ""},
		"long help":              {"--help", 0, false, "The end.\n", ""},
		"an unknown flag":        {"-x", 2, false, "", "endwell test: flag provided but not defined: -x; endwell test -h explains\n"},
		"a flag without a value": {"-idle", 2, false, "", "endwell test: flag needs an argument: -idle; endwell test -h explains\n"},
		"an argument":            {"now", 2, false, "", "endwell test: unexpected argument \"now\"; endwell test -h explains\n"},
		"a number":               {"-first 5", 2, false, "", "endwell test: invalid value \"5\" for flag -first: it wants a unit, such as 5s; endwell test -h explains\n"},
		"a fraction":             {"-first -.5", 2, false, "", "it wants a unit, such as -.5s"},
		"no duration":            {"-idle soon", 2, false, "", "it is no duration, such as 5s or 1m30s"},
		"no text":                {"-idle=", 2, false, "", "it is no duration, such as 5s or 1m30s"},
	} {
		t.Run(name, func(t *testing.T) {
			s, _, stdout, stderr := set()
			code, ok := s.Alone(strings.Fields(row.args))
			require.Equal(t, row.code, code)
			require.Equal(t, row.ok, ok)
			require.Contains(t, stdout.String(), row.out)
			require.Equal(t, row.out == "", stdout.Len() == 0)
			require.Contains(t, stderr.String(), row.errors)
			require.Equal(t, row.errors == "", stderr.Len() == 0)
			require.LessOrEqual(t, strings.Count(stderr.String(), "\n"), 1)
		})
	}
}

func TestMissing(t *testing.T) {
	s, _, stdout, stderr := set()
	require.Equal(t, ExitUsage, s.Missing())
	require.Empty(t, stdout.String())
	require.True(t, strings.HasPrefix(stderr.String(), "Usage: endwell test\n"))
}

// The help has the defaults that hold, and a flag that is not given has them.
func TestBounds(t *testing.T) {
	s, b, stdout, _ := set()
	_, ok := s.Read([]string{"-idle", "-1s"})
	require.True(t, ok)
	require.Equal(t, middleware.Bounds{First: middleware.DefaultFirst, Idle: -time.Second, Progress: middleware.DefaultProgress}, *b)
	_, _ = s.Read([]string{"-h"})
	for _, says := range []string{"-first duration", "(default 10m)", "(default 15m)", "a negative duration is no bound"} {
		require.Contains(t, stdout.String(), says)
	}
}

func TestDurationString(t *testing.T) {
	for want, d := range map[string]time.Duration{
		"0s": 0, "30s": 30 * time.Second, "10s": 10 * time.Second, "1m": time.Minute, "10m": 10 * time.Minute,
		"1m30s": 90 * time.Second, "1h": time.Hour, "10h": 10 * time.Hour, "1h0m5s": time.Hour + 5*time.Second, "20ms": 20 * time.Millisecond,
	} {
		v := duration(d)
		require.Equal(t, want, v.String())
		var back duration
		require.NoError(t, back.Set(want))
		require.Equal(t, v, back)
	}
}

func TestDialect(t *testing.T) {
	d, err := Dialect("groq")
	require.NoError(t, err)
	require.Equal(t, dialects.MustByName("groq"), d)
	_, err = Dialect("nobody")
	require.EqualError(t, err, `dialect "nobody" is not supported: endwell dialects lists those that are`)
}

func TestAddress(t *testing.T) {
	for address, row := range map[string]struct {
		public bool
		says   string
	}{
		"127.0.0.1:0":     {false, ""},
		"[::1]:80":        {false, ""},
		":8080":           {false, "-public"},
		"0.0.0.0:8080":    {false, "-public"},
		"192.0.2.1:80":    {false, "within reach"},
		"0.0.0.0:80":      {true, ""},
		"127.0.0.1":       {false, "wants host:port"},
		"127.0.0.1:99999": {true, "invalid port"},
		"8080":            {true, "wants host:port"},
	} {
		t.Run(address, func(t *testing.T) {
			err := Address(address, row.public)
			if row.says == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, row.says)
		})
	}
}

func TestListen(t *testing.T) {
	l, err := Listen("127.0.0.1:0")
	require.NoError(t, err)
	defer func() { _ = l.Close() }()
	_, err = Listen(l.Addr().String())
	require.ErrorContains(t, err, "choose another with -listen")
	require.ErrorContains(t, err, l.Addr().String())
}

// A cause tells what failed, in words that are nobody's but the system's.
func TestCause(t *testing.T) {
	const secret = "sk-test-not-a-real-key"
	dial := func(err error) error {
		return &net.OpError{Op: "dial", Net: "tcp", Addr: &net.UnixAddr{Name: secret}, Err: err}
	}
	for name, row := range map[string]struct {
		err  error
		want string
	}{
		"refused":          {dial(syscall.ECONNREFUSED), syscall.ECONNREFUSED.Error()},
		"no such host":     {dial(&net.DNSError{Err: "no such host", Name: secret, Server: secret, IsNotFound: true}), "no such host"},
		"closed":           {dial(net.ErrClosed), net.ErrClosed.Error()},
		"a text of a peer": {dial(errors.New(secret)), ""},
		"a cut":            {io.ErrUnexpectedEOF, "unexpected EOF"},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, row.want, Cause(classify.Error(row.err, classify.Call{})))
			require.Equal(t, row.want, Cause(classify.Error(row.err, classify.Call{Opened: true})))
		})
	}
	require.Empty(t, Cause(nil))
	broken := &endwell.Error{Fault: endwell.Broken}
	require.Empty(t, Cause(broken.WithCause(retry.StopAttempts)), "it is why nothing was tried again")
	stalled := &endwell.Error{Fault: endwell.Stalled}
	require.Empty(t, Cause(stalled.WithCause(context.DeadlineExceeded)), "the bound says more")
}
