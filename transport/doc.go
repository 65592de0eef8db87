// Package transport is endwell over HTTP: New makes a provider that posts a payload
// and decodes the answer, Decode reads a response that was obtained in another way,
// and Wrap puts the whole stack under a client or an SDK as an http.RoundTripper:
//
//	client := &http.Client{Transport: transport.Wrap(nil, transport.WrapConfig{})}
//
// New and Decode end as the wire did, with raw errors; put middleware.Standard above
// them:
//
//	next := middleware.Standard(middleware.Config{})(transport.New(transport.Config{
//		URL:     "https://api.example.com/v1/chat/completions",
//		Dialect: dialects.MustByName("openai"),
//		Header:  http.Header{"Authorization": {"Bearer " + key}},
//	}))
//
// # The Timeout of an http.Client
//
// It looks like the caller's deadline, and is: net/http makes it one of the request's
// context. Over a RoundTripper a stream that it cuts off ends as the caller's own,
// with context.DeadlineExceeded; it is no *endwell.Error, is not retried, and is on no
// ledger as a failure. It bounds the whole answer, however well that gets on, so it
// cuts off long answers: leave it 0, and let a stall guard bound the waits. In the
// Client of a Config nobody above can know that it is the caller's: there the stream
// ends as Unreachable or Broken, with category Timeout.
//
// # A gateway
//
// Under an httputil.ReverseProxy, Wrap watches over what is proxied. ErrorHandler
// answers what failed before the answer with dialects.Dialect.WriteError, and
// ReportErrors as ModifyResponse has what fails later reported in the stream, before
// ReverseProxy aborts the connection; see its example.
package transport
