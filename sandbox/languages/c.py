"""A bot to start from in C, with a small reader of JSON."""

from __future__ import annotations

C = r"""#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char line[1 << 20];

static const char *blanks(const char *at) {{ return at + strspn(at, " \t\r\n"); }}

// What stands behind the JSON value that begins at `at`.
static const char *behind(const char *at) {{
  if (*at == '"') {{
    for (at++; *at && *at != '"'; at++) {{
      if (*at == '\\' && at[1]) at++;
    }}
    return *at ? at + 1 : at;
  }}
  if (!strchr("{{[", *at)) return at + strcspn(at, ",]}} \t\r\n");
  int depth = 0;
  while (*at) {{
    if (*at == '"') {{
      at = behind(at);
      continue;
    }}
    depth += (*at == '{{' || *at == '[') - (*at == '}}' || *at == ']');
    at++;
    if (depth == 0) break;
  }}
  return at;
}}

// The value or key after the one at `at`, in its list or object.
static const char *following(const char *at) {{
  at = blanks(behind(at));
  return *at == ',' ? blanks(at + 1) : at;
}}

// The value of a key in an object; NULL where it has no such key.
static const char *member(const char *object, const char *key) {{
  const char *at = blanks(object + 1);
  size_t length = strlen(key);
  while (*at == '"') {{
    const char *value = blanks(blanks(behind(at)) + 1); // past the colon
    if (strncmp(at + 1, key, length) == 0 && at[length + 1] == '"') return value;
    at = following(value);
  }}
  return NULL;
}}

// The n-th value of a list; NULL where the list is shorter.
static const char *item(const char *list, int n) {{
  const char *at = blanks(list + 1);
  while (*at && *at != ']' && n-- > 0) at = following(at);
  return *at && *at != ']' ? at : NULL;
}}

// Whether a value is this text. Numbers are read by strtod() and strtoull().
static int is_text(const char *value, const char *text) {{
  size_t length = strlen(text);
  return value && *value == '"' && strncmp(value + 1, text, length) == 0
    && value[length + 1] == '"';
}}

int main(void) {{
  while (fgets(line, sizeof line, stdin)) {{
    const char *told = blanks(line), *type = member(told, "type");
    if (is_text(type, "start")) {{
      srand((unsigned)strtoull(member(told, "luck"), NULL, 10)); // the same luck in the same play
    }}
    if (!is_text(type, "decide")) continue;
    // member(member(told, "view"), "points") is a list of numbers, for example.
    const char *choices = member(told, "legal");
    if (!choices) choices = member(told, "suggestions");
    int count = 0;
    while (item(choices, count)) count++;
    const char *action = item(choices, rand() % count), *id = member(told, "id");
    int length = (int)(behind(action) - action); // with its quotes, as it is sent back
    fprintf(stderr, "chose %.*s of %d\n", length, action, count); // goes to the bot's log
    printf("{{\"id\":%.*s,\"action\":%.*s}}\n", (int)(behind(id) - id), id, length, action);
    fflush(stdout);
  }}
}}
"""
