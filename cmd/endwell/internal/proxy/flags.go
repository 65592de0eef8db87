package proxy

import (
	"errors"
	"io"
	"net/url"
	"strings"
	"time"

	"github.com/endwell-go/endwell/cmd/endwell/internal/cli"
	"github.com/endwell-go/endwell/transport"
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

func (o *options) flags(stdout, stderr io.Writer) *cli.Set {
	fs := cli.New("proxy", usage, stdout, stderr)
	fs.StringVar(&o.listen, "listen", "127.0.0.1:8787", "the `address` to listen on; one of this machine unless -public")
	fs.StringVar(&o.upstream, "upstream", "", "the provider's `URL`; paths are joined to its own")
	fs.StringVar(&o.dialect, "dialect", "", "the `dialect` of answers whose path does not tell another; found by the path, the host and the answer when not named")
	fs.Bounds(&o.cfg.Bounds)
	fs.DurationVar(&o.cfg.Hold, "hold", transport.DefaultHold, "the `duration` of \"before the first output\" at most: then an answer that is held back is handed over as it comes, and a failure is neither a status nor sent again")
	fs.IntVar(&o.cfg.Attempts, "attempts", 1, "the `number` of times that a request is sent at most, before the first output; the client's own retries come on top")
	fs.StringVar(&o.ledger, "ledger", "", "append a line of JSON for each attempt to this `file`")
	fs.StringVar(&o.cfg.Tapes, "record", "", "write a tape of each stream to this `folder`, without keys; its name has the time at which the request came and the number that the log calls exchange; endwell check plays it")
	fs.DurationVar(&o.drain, "drain", 30*time.Second, "the `duration` for which open streams may go on when the proxy is stopped")
	fs.BoolVar(&o.cfg.Public, "public", false, "allow other machines: whoever reaches the proxy can use it")
	fs.Func("origin", "an `origin`, such as https://chat.example, whose web pages may ask, besides those of this machine; * for all; may be repeated", func(s string) error {
		origin, err := readOrigin(s)
		o.cfg.Origins = append(o.cfg.Origins, origin)
		return err
	})
	return fs
}

// complete checks the flags.
func (o *options) complete() (err error) {
	switch {
	case o.upstream == "":
		return errors.New("-upstream is missing, such as -upstream https://api.openai.com; endwell proxy -h explains")
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
		if o.cfg.Dialect, err = cli.Dialect(o.dialect); err != nil {
			return err
		}
	}
	return cli.Address(o.listen, o.cfg.Public)
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

// readOrigin reads an origin as browsers send it: in lower case, without the port that
// the scheme has anyway.
func readOrigin(s string) (string, error) {
	if s == "*" {
		return s, nil
	}
	u, err := url.Parse(strings.ToLower(s))
	if err != nil || u.Hostname() == "" || u.Scheme+"://"+u.Host != strings.ToLower(s) {
		return "", errors.New("it is no origin: scheme://host, scheme://host:port, or *")
	}
	if port, ok := map[string]string{"http": ":80", "https": ":443"}[u.Scheme]; ok {
		u.Host = strings.TrimSuffix(u.Host, port)
	}
	return u.Scheme + "://" + u.Host, nil
}
