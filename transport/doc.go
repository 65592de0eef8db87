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
package transport
