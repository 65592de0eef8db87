package jsonscan

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

func TestBalance(t *testing.T) {
	rows := []struct {
		name, text                  string
		started, open, whole, extra bool
	}{
		{"nothing", "", false, false, false, false},
		{"blank", " \r\n\t", false, false, false, false},
		{"object", `{"city":"Paris"}`, true, false, true, false},
		{"array and white space", " [1, [2]] \n", true, false, true, false},
		{"object just begun", ` {`, true, true, false, false},
		{"cut in a string", `{"city":"Par`, true, true, false, false},
		{"cut after a backslash", `{"city":"\`, true, true, false, false},
		{"cut after an escaped quote", `{"city":"\"}`, true, true, false, false},
		{"escaped backslash before the quote", `{"city":"\\"}`, true, false, true, false},
		{"brackets in a string", `{"a":"}]}"`, true, true, false, false},
		{"brackets in a long string", `{"a":"0123456789}]}0123456789"}`, true, false, true, false},
		{"inner container closed", `{"a":[]`, true, true, false, false},
		{"kinds of brackets do not match", `{"a":[}]`, true, false, true, false},
		{"string", `"abc"`, true, false, false, false},
		{"string that is cut", `"abc`, true, true, false, false},
		{"string and more", `"abc" x`, true, false, false, true},
		{"number", `12`, true, false, false, false},
		{"number and more", `12 {`, true, false, false, false},
		{"literal that is cut", `tru`, true, false, false, false},
		{"sentinel", `[DONE]`, true, false, true, false},
		{"HTML", `<html>{"a":`, true, false, false, false},
		{"closing bracket first", `}{`, true, false, false, false},
		{"two documents", `{}{}`, true, false, true, true},
		{"second document is cut", `{"a":1} {"b":`, true, false, true, true},
		{"stray quote after the document", `{"a":1}"`, true, false, true, true},
		{"text and white space after the document", `{} x ` + "\n", true, false, true, true},
		{"bracket too many", `{"a":1}}`, true, false, true, true},
		{"byte order mark", "\ufeff{}", true, false, false, false},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			for split := range len(row.text) + 1 {
				var b Balance
				b.Feed([]byte(row.text[:split]))
				b.FeedString(row.text[split:])
				require.Equal(t, row.started, b.Started(), "Started")
				require.Equal(t, row.open, b.Open(), "Open")
				require.Equal(t, row.whole, b.Whole(), "Whole")
				require.Equal(t, row.extra, b.Extra(), "Extra")
				require.Equal(t, naive([]byte(row.text)), b)
			}
		})
	}
}

func TestBalanceOfValidDocuments(t *testing.T) {
	for _, row := range documents {
		if row.want == fine {
			t.Run(row.name, func(t *testing.T) { balanced(t, []byte(row.doc)) })
		}
	}
}

func TestBalanceIsSmall(t *testing.T) {
	require.LessOrEqual(t, unsafe.Sizeof(Balance{}), uintptr(16))
}
