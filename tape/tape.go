// Package tape keeps recorded streams: the body of a response as it arrived,
// read by read and with the time of each, and the way in which it ended.
//
// A tape is read with [Read] and written with [Tape.WriteTo], recorded with a
// [Recorder], and played with [Play]. Played on a clock.Fake that it drives
// itself, an hour of silence takes no time.
//
// The format is JSON Lines in UTF-8. The first line is the head, the last line
// the end, and between them is one line for each read:
//
//	{"tape":1,"dialect":"openai","status":200,"header":{"Content-Type":"text/event-stream"}}
//	{"at_ms":0,"data":"data: {…}\n\n"}
//	{"at_ms":1000,"data":": ping\n\n","times":600,"every_ms":1000}
//	{"at_ms":600000,"end":"hang"}
//
// Times are whole milliseconds after the response headers. The bytes of a read
// are in data, or in base64 where they are not UTF-8. With count they stand
// that often within the one read; with times and every_ms the read is repeated.
// Keys that this version does not know are passed over.
package tape

import (
	"net/http"
	"strings"
	"time"
)

// Version is the version of the format that this package reads and writes.
const Version = 1

// Tape is a recorded response. It may be played any number of times, also at
// once, as long as nobody changes it.
type Tape struct {
	Head

	// Arrivals are the reads of the body, in order.
	Arrivals []Arrival

	// End says how the body ends, and EndAt when. The end comes after the last
	// arrival, also if an arrival that repeats itself outlasts EndAt.
	End   End
	EndAt time.Duration
}

// Head is what is known of a response before its body.
type Head struct {
	// Dialect is the name that the body's wire dialect has for
	// dialects.ByName; empty means that it has to be detected.
	Dialect string

	// Status is the HTTP status. Zero stands for 200.
	Status int

	// Header holds the response header. A [Recorder] keeps what it is given,
	// so that cookies and other secrets must be left out beforehand.
	Header Header
}

// Header is a response header with one value for each name.
type Header map[string]string

// Value is the value of the named header, whatever the case of the name, or ""
// if there is none. Of several names that differ only in case, which HTTP does
// not know, the one that is spelt as asked wins, then the first by byte order.
func (h Header) Value(name string) string {
	if v, ok := h[name]; ok {
		return v
	}
	found, value := "", ""
	for k, v := range h {
		if strings.EqualFold(k, name) && (found == "" || k < found) {
			found, value = k, v
		}
	}
	return value
}

// HTTP returns the header in the form that package net/http uses, in a map of
// its own.
func (h Header) HTTP() http.Header {
	out := make(http.Header, len(h))
	for name := range h {
		out.Set(name, h.Value(http.CanonicalHeaderKey(name)))
	}
	return out
}

// Arrival is one read of the body, or a row of reads that are all alike.
// Nothing is expanded: a Count or a Times of any size costs no memory.
type Arrival struct {
	// At is when the read returned, counted from the response headers. On a
	// tape it is in whole milliseconds, rounded down. It is never less than
	// that of the arrival before; a read whose instant has passed because a
	// repeated one before it took longer is served at once.
	At time.Duration

	// Data is what the read returned. An arrival without data is no read and
	// is passed over.
	Data []byte

	// Count is how often Data stands in the one read. Zero and one mean once.
	Count int64

	// Times is how many such reads there are, the first at At and each later
	// one Every after the one before it. Zero and one mean once. Instants
	// beyond the range of time.Duration are taken as its end.
	Times int64
	Every time.Duration
}
