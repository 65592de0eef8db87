package serve

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// word is a word of a line.
type word struct {
	text   string
	quoted bool
}

// split splits a line into words. A comment is none.
func split(line string) (words []word, err error) {
	for {
		line = strings.TrimLeft(line, " \t\r")
		switch {
		case line == "" || line[0] == '#':
			return words, nil
		case line[0] == '"':
			q, err := strconv.QuotedPrefix(line)
			if err != nil {
				return nil, fmt.Errorf("a string in double quotes is not as Go has it: %s", line)
			}
			text, _ := strconv.Unquote(q)
			words, line = append(words, word{text, true}), line[len(q):]
		default:
			end := strings.IndexAny(line, " \t\r")
			if end < 0 {
				end = len(line)
			}
			words, line = append(words, word{text: line[:end]}), line[end:]
		}
	}
}

// words is what stands behind the name of a step.
type words []word

// piece is text: a word without quotes has a space behind it.
func (w word) piece() string {
	if w.quoted {
		return w.text
	}
	return w.text + " "
}

func (ws words) pieces() []string {
	var all []string
	for _, w := range ws {
		all = append(all, w.piece())
	}
	return all
}

func (ws words) texts() []string {
	var all []string
	for _, w := range ws {
		all = append(all, w.text)
	}
	return all
}

// at is the word at that place, or what stands for none.
func (ws words) at(i int, none string) string {
	if i < len(ws) {
		return ws[i].text
	}
	return none
}

// number reads the word at that place.
func (ws words) number(i, none int) (int, error) {
	if i >= len(ws) {
		return none, nil
	}
	n, err := strconv.Atoi(ws[i].text)
	if err != nil {
		return 0, fmt.Errorf("%q is no number", ws[i].text)
	}
	return n, nil
}

// status reads the first word, which is there, as the status of a response.
func (ws words) status() (int, error) {
	code, err := ws.number(0, 0)
	if err == nil && (code < 200 || code > 999) {
		err = fmt.Errorf("%d is no status of a response", code)
	}
	return code, err
}

// code reads the word at that place as an error code of HTTP/2.
func (ws words) code(i int, none uint32) (uint32, error) {
	if i >= len(ws) {
		return none, nil
	}
	n, err := strconv.ParseUint(ws[i].text, 0, 32)
	if err != nil {
		return 0, fmt.Errorf("%q is no code of 32 bits", ws[i].text)
	}
	return uint32(n), nil
}

// duration reads the word at that place, which is there.
func (ws words) duration(i int) (time.Duration, error) {
	d, err := time.ParseDuration(ws[i].text)
	if err != nil || d < 0 {
		return 0, fmt.Errorf("%q is no duration, such as 200ms", ws[i].text)
	}
	return d, nil
}
