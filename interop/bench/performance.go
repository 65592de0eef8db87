package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/endwell-go/endwell/interop/perf"
)

// performance measures the pieces of the report and writes it.
func performance(out, only string, s perf.Settings) error {
	numbers, err := pick(only)
	if err != nil {
		return err
	}
	s.Server = ownServer
	var sections []perf.Section
	for _, p := range perf.Pieces() {
		if len(numbers) > 0 && !slices.Contains(numbers, p.Number) {
			continue
		}
		begun := time.Now()
		sec, err := p.Run(s)
		if err != nil {
			return err
		}
		fmt.Fprintf(os.Stderr, "%d. %s: %.0f s\n", p.Number, p.Title, time.Since(begun).Seconds())
		sections = append(sections, sec)
	}
	report := perf.Render(sections, command(only, s), s)
	if out == "-" {
		fmt.Print(report)
		return nil
	}
	return os.WriteFile(out, []byte(report), 0o644)
}

// pick reads the numbers of pieces.
func pick(only string) ([]int, error) {
	var numbers []int
	for word := range strings.SplitSeq(only, ",") {
		if word == "" {
			continue
		}
		n, err := strconv.Atoi(strings.TrimSpace(word))
		if err != nil || n < 1 || n > len(perf.Pieces()) {
			return nil, fmt.Errorf("-only: there is no piece %q", word)
		}
		numbers = append(numbers, n)
	}
	return numbers, nil
}

// command is how the report is written again.
func command(only string, s perf.Settings) string {
	c := "go run ./bench -performance ../docs/performance.md"
	if only != "" {
		c += " -only " + only
	}
	if s.Rounds > 0 {
		c += fmt.Sprintf(" -rounds %d", s.Rounds)
	}
	if s.CPU {
		c += " -cpu"
	}
	return c
}

// ownServer starts the server as a process of its own, which is this program.
func ownServer() (url string, stop func(), err error) {
	self, err := os.Executable()
	if err != nil {
		return "", nil, err
	}
	c := exec.Command(self, "-serve")
	c.Stderr = os.Stderr
	in, err := c.StdinPipe()
	if err != nil {
		return "", nil, err
	}
	from, err := c.StdoutPipe()
	if err != nil {
		return "", nil, err
	}
	if err := c.Start(); err != nil {
		return "", nil, err
	}
	stop = func() {
		_ = in.Close()
		_ = c.Wait()
	}
	line, err := bufio.NewReader(from).ReadString('\n')
	if err != nil {
		stop()
		return "", nil, fmt.Errorf("the server did not start: %w", err)
	}
	return strings.TrimSpace(line), stop, nil
}
