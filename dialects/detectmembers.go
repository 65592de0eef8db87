package dialects

import "github.com/endwell-go/endwell/internal/jsonscan"

// topMembers are the members of a payload's top level that signs go by, as bits: one look at a
// payload tells which signs need one of their own.
type topMembers uint32

const (
	memberUnread topMembers = 1 << iota // the payload is no plain object: any sign may need it
	memberWhole                         // it is a whole document
	memberAWS                           // the frame is a message of AWS
	memberEvent                         // it has an event's name
	memberType
	memberObject
	memberInteraction // object is "interaction"
	memberEventType
	memberOutput
	memberGoogle // one that Gemini has, or an error
	memberCohere // one that only Cohere v1 has
	memberUsage  // an object
	memberFinish
	memberMessage
	memberResponse
	memberModel
	memberDone
	memberResults
	memberModelID
	memberChoices
	memberConverse // one that only Bedrock has
	memberReason
	memberValue
)

// membersOf looks at a frame.
func membersOf(f *frame) (m topMembers) {
	if f.kind == awsFrame {
		m |= memberAWS
	}
	if len(f.event) > 0 {
		m |= memberEvent
	}
	if len(f.data) == 0 || f.data[0] != '{' {
		return m | memberUnread
	}
	var c jsonscan.Cursor
	c.Reset(f.data)
	c.Object()
	for key, ok := c.Key(); ok; key, ok = c.Key() {
		switch k := memberNamed(key); {
		case k == memberUsage && c.Kind() != '{':
		case k == memberObject:
			m |= k
			if s, _ := c.Str(); s.Equal("interaction") {
				m |= memberInteraction
			}
		default:
			m |= k
		}
	}
	if c.End() == nil {
		m |= memberWhole
	}
	return m
}

func memberNamed(key []byte) topMembers {
	switch string(key) {
	case "type":
		return memberType
	case "object":
		return memberObject
	case "event_type":
		return memberEventType
	case "output":
		return memberOutput
	case "candidates", "promptFeedback", "usageMetadata", "error":
		return memberGoogle
	case "is_finished", "response_id", "generation_id":
		return memberCohere
	case "usage":
		return memberUsage
	case "finish_reason":
		return memberFinish
	case "message":
		return memberMessage
	case "response":
		return memberResponse
	case "model":
		return memberModel
	case "done":
		return memberDone
	case "results":
		return memberResults
	case "model_id":
		return memberModelID
	case "choices":
		return memberChoices
	case "messageStart", "messageStop", "contentBlockStart", "contentBlockDelta", "contentBlockStop",
		"amazon-bedrock-invocationMetrics":
		return memberConverse
	case "stopReason":
		return memberReason
	case "value":
		return memberValue
	default:
		return 0
	}
}

// has reports whether one of those is there, all whether all of them are.
func (m topMembers) has(some topMembers) bool { return m&some != 0 }
func (m topMembers) all(of topMembers) bool   { return m&of == of }

// What each sign cannot do without.
func (m topMembers) bedrock() bool {
	return m.has(memberAWS|memberEvent|memberConverse) || m.all(memberOutput|memberReason)
}

func (m topMembers) typed() bool        { return m.has(memberType) || m.all(memberObject|memberOutput) }
func (m topMembers) interactions() bool { return m.has(memberEventType | memberInteraction) }
func (m topMembers) gemini() bool       { return m.has(memberGoogle | memberResponse) }
func (m topMembers) cohere() bool {
	return m.has(memberType|memberEventType|memberCohere|memberUsage) || m.all(memberFinish|memberMessage)
}

func (m topMembers) ollama() bool {
	return m.all(memberModel|memberDone) && m.has(memberMessage|memberResponse)
}

func (m topMembers) watsonx() bool   { return m.has(memberResults) || m.all(memberModelID|memberChoices) }
func (m topMembers) writer() bool    { return m.has(memberValue | memberChoices) }
func (m topMembers) replicate() bool { return m.has(memberEvent) }
