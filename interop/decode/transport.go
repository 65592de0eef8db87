package decode

import "net/http"

// RoundTrip implements http.RoundTripper: the feed is the body of a response to any
// request.
func (f *Feed) RoundTrip(req *http.Request) (*http.Response, error) {
	return &http.Response{
		Status: "200 OK", StatusCode: http.StatusOK,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header:        http.Header{"Content-Type": {f.mime}},
		Body:          f,
		ContentLength: -1,
		Request:       req,
	}, nil
}

// client returns a client that reaches nothing but the feed.
func (f *Feed) client() *http.Client { return &http.Client{Transport: f} }

// nowhere is the address that SDKs are given. Nothing is sent to it.
const nowhere = "http://127.0.0.1:1"

// fakeKey is what SDKs are given that insist on a key.
const fakeKey = "sk-test-not-a-real-key"
