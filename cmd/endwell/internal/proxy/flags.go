package proxy

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/url"
	"strings"
	"time"

	"github.com/endwell-go/endwell/dialects"
)

// options are the command's flags.
type options struct {
	cfg      Config
	listen   string
	upstream string
	dialect  string
	ledger   string
	drain    time.Duration
}

func (o *options) flags(stderr io.Writer) *flag.FlagSet {
	fs := flag.NewFlagSet("proxy", flag.ContinueOnError)
	fs.SetOutput(stderr)
	fs.Usage = func() {
		_, _ = io.WriteString(stderr, usage)
		fs.PrintDefaults()
	}
	fs.StringVar(&o.listen, "listen", "127.0.0.1:8787", "the `address` to listen on; one of this machine unless -public")
	fs.StringVar(&o.upstream, "upstream", "", "the provider's `URL`; paths are joined to its own")
	fs.StringVar(&o.dialect, "dialect", "", "the `dialect` of the provider; found by the path, the host and the answer when not named")
	fs.DurationVar(&o.cfg.Bounds.First, "first", 0, "stall bound to the first emission; 0 is the default, negative is none")
	fs.DurationVar(&o.cfg.Bounds.Idle, "idle", 0, "stall bound without bytes, likewise")
	fs.DurationVar(&o.cfg.Bounds.Progress, "progress", 0, "stall bound without output, likewise")
	fs.DurationVar(&o.cfg.Hold, "hold", time.Minute, "how long an answer is held back for its first output, so that a failure can be a status")
	fs.IntVar(&o.cfg.Attempts, "attempts", 1, "how often a request is sent at most, before the first output")
	fs.StringVar(&o.ledger, "ledger", "", "append a line of JSON for each attempt to this `file`")
	fs.StringVar(&o.cfg.Tapes, "record", "", "write a tape of each answer to this `folder`, without keys; endwell check plays them")
	fs.DurationVar(&o.drain, "drain", 30*time.Second, "how long open streams may go on when the proxy is stopped")
	fs.BoolVar(&o.cfg.Public, "public", false, "allow other machines: whoever reaches the proxy can use it")
	fs.Func("origin", "an `origin` whose web pages may ask, besides those of this machine; * for all; may be repeated", func(s string) error {
		o.cfg.Origins = append(o.cfg.Origins, s)
		return nil
	})
	return fs
}

// complete checks the flags.
func (o *options) complete(rest []string) (err error) {
	switch {
	case len(rest) > 0:
		return fmt.Errorf("unexpected argument %q", rest[0])
	case o.upstream == "":
		return errors.New("-upstream is missing, such as -upstream https://api.openai.com; -h explains")
	case o.cfg.Attempts < 1:
		return errors.New("-attempts is at least 1")
	case o.cfg.Hold <= 0:
		return errors.New("-hold is more than 0")
	case o.drain < 0:
		return errors.New("-drain is not negative")
	}
	if o.cfg.Upstream, err = upstream(o.upstream); err != nil {
		return err
	}
	if o.dialect != "" {
		d, ok := dialects.ByName(o.dialect)
		if !ok {
			return fmt.Errorf("-dialect %q is not supported; known are %s", o.dialect, strings.Join(dialects.Names(), ", "))
		}
		o.cfg.Dialect = d
	}
	return o.reachable()
}

// upstream reads the upstream's URL. It holds no key, since it is logged.
func upstream(s string) (*url.URL, error) {
	u, err := url.Parse(s)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return nil, errors.New("-upstream is no URL of http or https")
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return nil, errors.New("-upstream has a user, a query or a fragment: the program that asks sends keys itself")
	}
	return u, nil
}

// reachable refuses an address that other machines reach, unless they may.
func (o *options) reachable() error {
	addr, err := net.ResolveTCPAddr("tcp", o.listen)
	switch {
	case err != nil:
		return fmt.Errorf("-listen %q is no address", o.listen)
	case !addr.IP.IsLoopback() && !o.cfg.Public:
		return fmt.Errorf("-listen %s is within reach of other machines, which could use the proxy: say so with -public, or listen on 127.0.0.1", o.listen)
	default:
		return nil
	}
}
