package record

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
)

// options are the command's flags.
type options struct {
	url     string
	method  string
	headers headers
	data    string
	asked   bool // there is data
}

// headers are the -H flags, as given.
type headers []string

// String implements flag.Value.
func (h *headers) String() string { return "" }

// Set implements flag.Value.
func (h *headers) Set(s string) error {
	if name, _, ok := strings.Cut(s, ":"); !ok || strings.TrimSpace(name) == "" {
		return errors.New("want 'Name: value'")
	}
	*h = append(*h, s)
	return nil
}

// request makes the request that the flags ask for.
func (o *options) request(ctx context.Context, stdin io.Reader) (*http.Request, error) {
	u, err := url.Parse(o.url)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, errors.New("the URL is none of http or https")
	}
	body, err := o.body(stdin)
	if err != nil {
		return nil, err
	}
	method := o.method
	if method == "" {
		method = http.MethodGet
		if o.asked {
			method = http.MethodPost
		}
	}
	if !word(method) {
		return nil, fmt.Errorf("-X %q is no method, such as GET or POST", method)
	}
	req, err := http.NewRequestWithContext(ctx, method, u.String(), bytes.NewReader(body))
	if err != nil {
		return nil, errors.New("the request cannot be made: look at the URL")
	}
	if o.asked {
		req.Header.Set("Content-Type", "application/json")
	}
	return req, o.addHeaders(req)
}

func (o *options) addHeaders(req *http.Request) error {
	for _, h := range o.headers {
		name, value, _ := strings.Cut(h, ":")
		name = strings.TrimSpace(name)
		value, err := expand(value)
		value = strings.TrimSpace(value)
		switch {
		case err != nil:
			return err
		case !word(name):
			return fmt.Errorf("-H %q is no name of a header", name)
		case strings.ContainsFunc(value, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }):
			return fmt.Errorf("-H %s has a value of more than one line, or with other control characters", name)
		}
		req.Header.Set(name, value)
	}
	return nil
}

// word reports whether a text may be a method or the name of a header: a token of
// RFC 9110 §5.6.2.
func word(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return r <= ' ' || r >= 0x7f || strings.ContainsRune(`"(),/:;<=>?@[\]{}`, r)
	})
}

// expand replaces $NAME and ${NAME} by variables of the environment. One that is not
// set is an error, since an empty key would be recorded as a refusal.
func expand(s string) (string, error) {
	var missing []string
	out := os.Expand(s, func(name string) string {
		v, ok := os.LookupEnv(name)
		if !ok {
			missing = append(missing, name)
		}
		return v
	})
	if len(missing) > 0 {
		return "", fmt.Errorf("the variable %s is not set", strings.Join(missing, ", "))
	}
	return out, nil
}

// body returns what -d says: text, @FILE, or @- for standard input.
func (o *options) body(stdin io.Reader) ([]byte, error) {
	name, file := strings.CutPrefix(o.data, "@")
	switch {
	case !file:
		return []byte(o.data), nil
	case name == "-":
		return io.ReadAll(stdin)
	default:
		return os.ReadFile(name)
	}
}
