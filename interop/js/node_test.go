package js_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/endwell-go/endwell"
)

// job is a question of one client.
type job struct {
	ID       int    `json:"id"`
	Base     string `json:"base"`
	Patience int64  `json:"patience"` // in milliseconds
}

// failure is what a program learns of an error.
type failure struct {
	Name    string `json:"name"`
	Status  int    `json:"status"`
	Code    string `json:"code"`
	Message string `json:"message"`
}

// outcome is how an answer ended as far as the client tells.
type outcome struct {
	ID    int      `json:"id"`
	Text  string   `json:"text"`
	Hung  bool     `json:"hung"`
	Error *failure `json:"error"`
	// Stray is an error that was rejected where nobody listens, which has no ID.
	Stray string `json:"stray"`
	Count int    `json:"count"`
}

// row is what came of a client and an ending: direct, and by each way through.
type row struct {
	client   client
	ending   ending
	outcomes []outcome
}

const (
	// atOnce is how many Nodes run at the same time. Most of what they do is wait.
	atOnce = 3
	// patience is how long is waited for what is known not to happen, and long for
	// what should.
	patience = 3 * time.Second
	long     = 40 * time.Second
)

// measure has each client go through each ending on each way.
func measure(t *testing.T, ways []way) (rows []row) {
	all, each := endings(), make([][]outcome, len(clients))
	var running sync.WaitGroup
	free := make(chan struct{}, atOnce)
	for i, c := range clients {
		free <- struct{}{}
		running.Go(func() {
			each[i] = run(t, c, jobs(all, ways))
			<-free
		})
	}
	running.Wait()
	for i, c := range clients {
		for j, e := range all {
			n := len(ways)
			require.Len(t, each[i], len(all)*n, c.name)
			rows = append(rows, row{c, e, each[i][j*n : (j+1)*n]})
		}
	}
	return rows
}

// jobs are the questions of a client: by ending and then by way.
func jobs(all []ending, ways []way) (list []job) {
	for _, e := range all {
		for i, w := range ways {
			wait := long
			if i == 0 && e.fault == endwell.Stalled {
				wait = patience
			}
			list = append(list, job{len(list), w.base(e), wait.Milliseconds()})
		}
	}
	return list
}

// run asks with one client, in one process.
func run(t *testing.T, c client, list []job) []outcome {
	in, _ := json.Marshal(list)
	cmd := exec.Command("node", "ask.mjs", c.file, c.function)
	var stdout, stderr bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(in), &stdout, &stderr
	cmd.Env = direct(os.Environ())
	err := cmd.Run()
	outcomes := make([]outcome, len(list))
	count := 0
	for dec := json.NewDecoder(&stdout); dec.More(); {
		var o outcome
		if bad := dec.Decode(&o); bad != nil {
			err = bad
			break
		}
		if o.Stray != "" {
			t.Logf("%s: %d times %s was rejected where nobody listens", c.name, o.Count, o.Stray)
			continue
		}
		outcomes[o.ID] = o
		count++
	}
	if err != nil || count != len(list) {
		t.Errorf("%s: %v, %d of %d answers\n%s", c.name, err, count, len(list), &stderr)
		return nil
	}
	return outcomes
}

// direct is an environment without what would lead a client elsewhere.
func direct(env []string) (kept []string) {
	for _, pair := range env {
		name, _, _ := strings.Cut(strings.ToUpper(pair), "=")
		switch {
		case strings.HasSuffix(name, "_PROXY"), strings.HasSuffix(name, "_BASE_URL"), strings.HasSuffix(name, "_API_KEY"), name == "OLLAMA_HOST":
		default:
			kept = append(kept, pair)
		}
	}
	return kept
}
