package dialects

// Family is a wire family: what the frames of a system look like.
type Family string

// The wire families.
const (
	// FamilyChat is OpenAI chat completions and everything that imitates it,
	// legacy completions included.
	FamilyChat Family = "chat"
	// FamilyResponses is OpenAI responses.
	FamilyResponses Family = "responses"
	// FamilyAnthropic is Anthropic messages.
	FamilyAnthropic Family = "anthropic"
	// FamilyGemini is Google's streamGenerateContent.
	FamilyGemini Family = "gemini"
	// FamilyInteractions is Google's Interactions.
	FamilyInteractions Family = "interactions"
	// FamilyCohere is Cohere chat v2.
	FamilyCohere Family = "cohere"
	// FamilyCohereV1 is Cohere chat v1.
	FamilyCohereV1 Family = "cohere-v1"
	// FamilyOllama is Ollama's own API.
	FamilyOllama Family = "ollama"
	// FamilyConverse is Bedrock ConverseStream.
	FamilyConverse Family = "bedrock-converse"
	// FamilyInvoke is Bedrock InvokeModelWithResponseStream.
	FamilyInvoke Family = "bedrock-invoke"
)

// Facts says in a few words, for people, how a system streams.
type Facts struct {
	// Framing is how bytes become frames.
	Framing string
	// Terminal is what proves that an answer is whole.
	Terminal string
	// KeepAlive is what the system sends to show that it is alive.
	KeepAlive string
	// Faults are the finish words that report a fault.
	Faults string
	// Note is what is special about it; "" for nothing.
	Note string
}

// or fills what is empty from other.
func (f Facts) or(other Facts) Facts {
	pick := func(s, o string) string {
		if s != "" {
			return s
		}
		return o
	}
	return Facts{
		pick(f.Framing, other.Framing), pick(f.Terminal, other.Terminal),
		pick(f.KeepAlive, other.KeepAlive), pick(f.Faults, other.Faults), pick(f.Note, other.Note),
	}
}
