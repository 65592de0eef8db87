package perf

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
)

// machine describes the machine in a few words.
func machine() string {
	return fmt.Sprintf("%d cores of %s, %s/%s, %s", runtime.NumCPU(), processor(), runtime.GOOS, runtime.GOARCH, runtime.Version())
}

// processor is the model of the CPU, where the system tells.
func processor() string {
	info, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return "an unknown processor"
	}
	for line := range strings.Lines(string(info)) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return "an unknown processor"
}

// measured are the modules that stand in the report.
var measured = []string{
	"charm.land/fantasy", "github.com/anthropics/anthropic-sdk-go/v2", "github.com/aws/aws-sdk-go-v2/service/bedrockruntime",
	"github.com/bytedance/sonic", "github.com/cloudwego/eino-ext/components/model/openai",
	"github.com/go-json-experiment/json", "github.com/openai/openai-go/v3", "github.com/sashabaranov/go-openai",
	"github.com/tidwall/gjson", "github.com/tmaxmax/go-sse", "github.com/tmc/langchaingo", "google.golang.org/genai",
}

func versions() []string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return nil
	}
	var lines []string
	for _, m := range info.Deps {
		if slices.Contains(measured, m.Path) {
			lines = append(lines, "`"+m.Path+"` "+m.Version)
		}
	}
	return lines
}
