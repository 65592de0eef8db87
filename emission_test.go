package endwell_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
)

func TestEmission(t *testing.T) {
	for _, row := range []struct {
		name  string
		chunk endwell.Chunk
		want  bool
	}{
		{"text", endwell.Chunk{Kind: endwell.KindText, Text: "x"}, true},
		{"empty text", endwell.Chunk{Kind: endwell.KindText}, false},
		{"text that was not materialised", endwell.Chunk{Kind: endwell.KindText, Elided: true}, true},
		{"reasoning", endwell.Chunk{Kind: endwell.KindReasoning, Detail: "x"}, true},
		{"empty reasoning", endwell.Chunk{Kind: endwell.KindReasoning}, false},
		{"refusal", endwell.Chunk{Kind: endwell.KindRefusal, Detail: "x"}, true},
		{"empty refusal", endwell.Chunk{Kind: endwell.KindRefusal}, false},
		{"tool call", endwell.Chunk{Kind: endwell.KindToolCall, ToolCall: &endwell.ToolCallDelta{}}, true},
		{"tool call that is none", endwell.Chunk{Kind: endwell.KindToolCall}, false},
		{"other output", endwell.Chunk{Kind: endwell.KindOutput}, true},
		{"finish", endwell.Chunk{Kind: endwell.KindFinish, Detail: "stop"}, false},
		{"usage", endwell.Chunk{Kind: endwell.KindUsage, Usage: &endwell.Usage{}}, false},
		{"keep-alive", endwell.Chunk{Kind: endwell.KindKeepAlive, Detail: "x"}, false},
		{"meta", endwell.Chunk{Text: "x"}, false},
	} {
		require.Equal(t, row.want, row.chunk.Emission(), row.name)
	}
}
