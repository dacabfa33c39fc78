"""A bot to start from in Go, without fmt and encoding/json: with them a module is too large."""

from __future__ import annotations

GO = r"""package main

import (
	"bufio"
	"os"
	"strconv"
	"strings"
)

// What stands after a key and its colon. Good enough to start with.
func after(line, key string) (string, bool) {{
	_, rest, found := strings.Cut(line, key)
	return rest, found
}}

func main() {{
	lines := bufio.NewReaderSize(os.Stdin, 1<<20)
	luck := uint64(1)
	for {{
		line, err := lines.ReadString('\n')
		if err != nil {{
			return
		}}
		if strings.HasPrefix(line, `{{"type":"start"`) {{
			digits, _ := after(line, `"luck":`)
			digits, _, _ = strings.Cut(digits, "}}")
			luck, _ = strconv.ParseUint(digits, 10, 64) // the same luck in the same play
		}}
		if !strings.HasPrefix(line, `{{"type":"decide"`) {{
			continue
		}}
		menu, found := after(line, `"legal":[`)
		if !found {{
			menu, _ = after(line, `"suggestions":[`)
		}}
		menu, _, _ = strings.Cut(menu, "]")
		choices := strings.Split(strings.Trim(menu, `"`), `","`)
		luck = luck*6364136223846793005 + 1442695040888963407
		action := choices[(luck>>33)%uint64(len(choices))]
		id, _ := after(line, `"id":"`)
		// What goes to standard error is the bot's log.
		os.Stderr.WriteString("chose " + action + " of " + strconv.Itoa(len(choices)) + "\n")
		os.Stdout.WriteString(`{{"id":"` + id[:16] + `","action":"` + action + "\"}}\n")
	}}
}}
"""
