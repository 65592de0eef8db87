package dialects

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
)

func TestJSONArray(t *testing.T) {
	a, b, stop := geminiText("a"), geminiText("b"), geminiStop("STOP")
	const finish = "finish(stop STOP)"
	for _, tt := range []struct{ name, body, want, end string }{
		{"as Google writes it", "[" + a + "\n,\r\n" + stop + "\n]\n", "text(a) " + finish + " meta@may_end keep_alive", "eof"},
		{"without white space", "[" + a + "," + b + "," + stop + "]", "text(a) text(b) " + finish + " meta@may_end", "eof"},
		{"with white space everywhere", " \r\n\t[ " + a + " \n , \t" + stop + "\r\n]", "text(a) " + finish + " meta@may_end", "eof"},
		{"pretty-printed", "[{\n  \"candidates\": [\n {\"content\": {\"parts\": [{\"text\": \"]}\\\"[{\"}]},\n\n\"finishReason\": \"STOP\"}]\n}\n]", `text(]}"[{) ` + finish + " meta@may_end", "eof"},
		{"byte order mark", "\xef\xbb\xbf[" + a + "," + stop + "]", "text(a) " + finish + " meta@may_end", "eof"},
		{"no bracket", "[" + a + "," + stop, "text(a) " + finish, "eof"},
		{"no bracket after a comma", "[" + a + "," + stop + ",\r\n", "text(a) " + finish + " keep_alive", "eof"},
		{"no finish", "[" + a + "]", "text(a) meta", "eof"},
		{"cut in an element", "[" + a + `,{"candidates":[{"cont`, "text(a)", "cut status=0 type= code= message="},
		{"cut in a string", "[" + a + `,{"candidates":[{"content":{"parts":[{"text":"\`, "text(a)", "cut status=0 type= code= message="},
		{"empty", "[]", "meta@may_end", "eof"},
		{"only its beginning", "[", "keep_alive", "eof"},
		{"doubled commas", "[" + a + ",\n,\n" + stop + ",]", "text(a) " + finish + " meta@may_end", "eof"},
		{"comments", "[" + a + "\n: ping\n,: ping\r\n" + stop + "\n: ping\n]", "text(a) " + finish + " meta@may_end", "eof"},
		{"a comment that is cut", "[" + a + "\n: pi", "text(a) keep_alive", "eof"},
		{"elements that say nothing", "[null,{},[],false,\"\"," + a + "]", "meta meta meta meta meta text(a) meta", "eof"},
		{"elements that are no chunks", "[" + a + `,"]"]`, "text(a)", "unparseable status=0 type= code= message="},
		{"a number as element", "[" + a + ",17]", "text(a)", "unparseable status=0 type= code= message="},
		{"no JSON as element", "[" + a + ",}]", "text(a)", "unparseable status=0 type= code= message="},
		{"brackets that do not match", "[" + a + `,{"candidates":[}}]`, "text(a)", "unparseable status=0 type= code= message="},
		{"error as element", "[" + a + ",\r\n" + geminiBusy + "\n]", "text(a)", geminiBusySaid},
		{"error with doubled commas", "[" + a + "," + strings.ReplaceAll(geminiBusy, ",", ",,") + "]", "text(a)", geminiBusySaid},
		{"error behind the list", "[" + a + "," + stop + "]\n" + geminiBusy + "\n", "text(a) " + finish + " meta@may_end keep_alive", geminiBusySaid},
		{"events behind the list", "[" + a + "," + stop + "]\n" + frames("[DONE]"), "text(a) " + finish + " meta@may_end keep_alive meta@ended", "eof"},
		{"junk behind the list", "[" + a + "," + stop + "]\nbye\n\n", "text(a) " + finish + " meta@may_end keep_alive keep_alive", "eof"},
		{"the sentinel as body", "[DONE]", "", "unparseable status=0 type= code= message="},
	} {
		t.Run(tt.name, func(t *testing.T) {
			requireSaid(t, MustByName("gemini"), tt.body, tt.want, tt.end)
		})
	}
}

// TestJSONArrayIsBounded holds that an element above the cap is refused.
func TestJSONArrayIsBounded(t *testing.T) {
	st := MustByName("gemini").Stream(bodyOf(`[{"x":"`+strings.Repeat("y", 1<<20)), Options{MaxFrame: 64 << 10})
	err := hear(st).end
	require.Equal(t, "too_large status=0 type= code= message=", ending(err))
}

// TestJSONArrayLooksOnce holds that the cost of an element that arrives in many
// pieces grows with its length, not with its square: its bytes are looked at once.
func TestJSONArrayLooksOnce(t *testing.T) {
	var a jsonArray
	f := new(frame)
	body := []byte(`[{"x":"` + strings.Repeat(`\n`, 1000) + `"},`)
	for i := range body {
		was := a.pos
		if a.next(body[:i+1], false, f) {
			require.Equal(t, len(body)-1, len(f.raw))
			return
		}
		require.Equal(t, i+1, a.pos)
		require.LessOrEqual(t, was, a.pos)
	}
	t.Fatal("no element")
}

func TestGeminiListAndEventsSayTheSame(t *testing.T) {
	payloads := []string{geminiText("a"), geminiCalls(`{"name":"f","args":{"a":1}}`), geminiStop("STOP")}
	var got [2]*endwell.Transcript
	for i, body := range []string{frames(payloads...), "[" + strings.Join(payloads, ",\r\n") + "]"} {
		v := judge(t, MustByName("gemini"), bodyOf(body))
		require.Nil(t, v.err)
		got[i] = v.transcript
	}
	require.Equal(t, got[0], got[1])
}
