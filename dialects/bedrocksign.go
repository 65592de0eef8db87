package dialects

import "github.com/endwell-go/endwell/internal/jsonscan"

// bedrockDialects returns the dialects of Bedrock.
func bedrockDialects() []*Dialect { return append(converseDialects(), invokeDialects()...) }

// signBedrock returns the name of the dialect of Bedrock that a frame is clearly
// of, "" for none. A fault that is the first message of a stream reads the same in
// both, so it is taken for one of Converse.
func signBedrock(f *frame) string {
	if f.kind == awsFrame {
		return signMessage(f.raw)
	}
	if converseEventOf(f.event) != converseOther && string(f.event) != "metadata" {
		return "bedrock-converse"
	}
	return signDocument(f.data)
}

func signMessage(raw []byte) string {
	var m awsMessage
	switch {
	case m.open(raw) != nil:
		return ""
	case string(m.event) == "chunk":
		return "bedrock-invoke"
	case m.faulty(), converseEventOf(m.event) != converseOther:
		return "bedrock-converse"
	default:
		return ""
	}
}

// signDocument looks for what gateways write in the place of messages: events as
// members, and answers that are not streamed.
func signDocument(doc []byte) string {
	var c jsonscan.Cursor
	c.Reset(doc)
	c.Object()
	name, output, reason := "", false, false
	for key, ok := c.Key(); ok; key, ok = c.Key() {
		switch string(key) {
		case "messageStart", "messageStop", "contentBlockStart", "contentBlockDelta", "contentBlockStop":
			if c.Kind() == '{' {
				name = "bedrock-converse"
			}
		case "amazon-bedrock-invocationMetrics":
			name = "bedrock-invoke"
		case "output":
			output = c.Kind() == '{'
		case "stopReason":
			reason = true
		}
	}
	switch {
	case c.End() != nil:
		return ""
	case output && reason:
		return "bedrock-converse"
	default:
		return name
	}
}
