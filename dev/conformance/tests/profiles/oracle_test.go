// Prints what google/webrisk or net/url makes of each text, on Go 1.19: `oracle PROFILE`. Some functions are private to webrisk,
// so this is a test of it, which `go test -c` makes a program of.
//
// A text and an answer are lines of UTF-8, in which `\\`, `\n` and `\r` stand for a backslash and two line ends. The answer
// `\N` stands for an error.
package webrisk

import (
	"bufio"
	"fmt"
	"io"
	"net/url"
	"os"
	"runtime"
	"sort"
	"strings"
	"testing"
)

const room = 1 << 16

// What urls.go takes from the package besides itself. The answers here are made before anything is hashed.
type hashPrefix string

func hashFromPattern(pattern string) hashPrefix { return hashPrefix(pattern) }

var answers = map[string]func(string) (string, error){
	"safe-browsing-v4":             canonical,
	"safe-browsing-v4-expressions": expressions,
	"host-go-1.19":                 hostname,
}

func TestMain(*testing.M) {
	if !strings.HasPrefix(runtime.Version(), "go1.19") {
		fail("expected Go 1.19, found " + runtime.Version())
	}
	if len(os.Args) != 2 || answers[os.Args[1]] == nil {
		fail("expected a profile")
	}
	if err := run(answers[os.Args[1]], os.Stdin, os.Stdout); err != nil {
		fail(err.Error())
	}
}

func fail(message string) {
	fmt.Fprintln(os.Stderr, message)
	os.Exit(1)
}

func run(answer func(string) (string, error), from io.Reader, to io.Writer) error {
	input, output := bufio.NewReaderSize(from, room), bufio.NewWriterSize(to, room)
	unescape := strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\r`, "\r")
	escape := strings.NewReplacer(`\`, `\\`, "\n", `\n`, "\r", `\r`)
	for {
		line, err := input.ReadString('\n')
		if err == io.EOF && line == "" {
			return output.Flush()
		}
		if err != nil && err != io.EOF {
			return err
		}
		text, err := answer(unescape.Replace(strings.TrimSuffix(line, "\n")))
		if err != nil {
			fmt.Fprintln(output, `\N`)
		} else {
			fmt.Fprintln(output, escape.Replace(text))
		}
	}
}

// The client keeps the scheme as it is written, and puts the query into its patterns alone.
func canonical(text string) (string, error) {
	parsed, err := parseURL(text)
	if err != nil {
		return "", err
	}
	url := strings.ToLower(parsed.Scheme) + "://" + parsed.Host + parsed.Path
	if parsed.RawQuery != "" {
		url += "?" + parsed.RawQuery
	}
	return url, nil
}

// Each pattern once, in the order of bytes, with spaces between, which none of them holds.
func expressions(text string) (string, error) {
	patterns, err := generatePatterns(text)
	if err != nil {
		return "", err
	}
	sort.Strings(patterns)
	var distinct []string
	for index, pattern := range patterns {
		if index == 0 || pattern != patterns[index-1] {
			distinct = append(distinct, pattern)
		}
	}
	return strings.Join(distinct, " "), nil
}

func hostname(text string) (string, error) {
	parsed, err := url.Parse(text)
	if err != nil {
		return "", err
	}
	return parsed.Hostname(), nil
}
