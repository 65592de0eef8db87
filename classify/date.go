package classify

import (
	"strings"
	"time"
)

// layouts are the forms of a date in a header: the three of HTTP, the first two also
// with a day of one digit or a year of four, those with an offset, and RFC 3339. A
// zone's name is GMT or one of those that mean it; no other name tells an offset.
var layouts = [...]string{
	"Mon, 2 Jan 2006 15:04:05 GMT",
	"Monday, 2-Jan-06 15:04:05 GMT",
	"Monday, 2-Jan-2006 15:04:05 GMT",
	"Mon, 2-Jan-2006 15:04:05 GMT",
	time.ANSIC,
	"Mon Jan _2 15:04:05 GMT 2006",
	"Mon, 2 Jan 2006 15:04:05 -0700",
	time.RFC3339Nano,
}

// greenwich turns the other names of GMT into it.
var greenwich = strings.NewReplacer(" UTC", " GMT", " UT", " GMT", " utc", " GMT", " gmt", " GMT")

// date reads a date as a header writes it.
func date(s string) (time.Time, bool) {
	if s == "" {
		return time.Time{}, false
	}
	s = greenwich.Replace(s)
	for _, layout := range layouts {
		if t, err := time.Parse(layout, s); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}
