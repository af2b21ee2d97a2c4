#!/usr/bin/env python3
"""Writes fnmatch-cases.txt: what CPython's fnmatch.fnmatchcase says about patterns and names.

Each line holds pattern, name (both as hexadecimal code points joined by '.') and 1 or 0.
Run it in this folder: python3 fnmatch_cases.py > fnmatch-cases.txt
"""
import fnmatch
import random
import warnings

warnings.simplefilter("ignore")  # fnmatch itself hands nested sets such as '[[' to re

PICKED = [
    ("", ""), ("", "a"), ("*", ""), ("*", "a/b.c\nd"), ("**", ""), ("?", ""), ("?", "\n"), ("?", "\U0001f600"),
    ("mcp__*", "mcp__x/y\nz"), ("run_*", "run_command"), ("run_*", "Run_command"), ("*_file", "read_file\n"),
    ("a*b*c", "aXbXbc"), ("a*b*c", "aXbXb"), ("*a*a*a*b", "aaaaaaaaaaaa"), ("a?c", "abc"), ("a?c", "a\U00010348c"),
    ("[abc]", "b"), ("[!abc]", "b"), ("[!abc]", "d"), ("[^abc]", "^"), ("[^abc]", "d"), ("[]]", "]"), ("[!]]", "]"),
    ("[!]]", "a"), ("[]abc]", "a"), ("[]-a]", "^"), ("[]-a]", "]"), ("[", "["), ("[a", "[a"), ("[!", "[!"), ("[]", "[]"),
    ("[!]", "[!]"), ("[!]", "x"), ("a[", "a["), ("[a-c]", "b"), ("[a-c]", "-"), ("[c-a]", "b"), ("[c-a]", "c"),
    ("[!c-a]", "b"), ("[!c-a]", ""), ("[b-a!x]", "x"), ("[b-a!x]", "y"), ("[b-a!x]", "!"), ("[a-]", "-"), ("[-a]", "-"),
    ("[!-a]", "-"), ("[!-a]", "b"), ("[a-b-c]", "-"), ("[a-b-c]", "c"), ("[a-c-e]", "d"), ("[b-ac-d]", "d"),
    ("[--0]", "."), ("[--0]", "-"), ("[+--]", ","), ("[a\\]", "\\"), ("[\\]", "\\"), ("\\*", "\\x"), ("\\*", "*"),
    ("[\\a]", "\\"), ("[a&&b]", "&"), ("[a||b]", "|"), ("[a~~b]", "~"), ("[[a]", "["), ("[[:alpha:]]", "a]"),
    ("{a,b}", "a"), ("a.c", "abc"), ("a+", "aa"), ("(a)", "a"), ("$", "$"), ("^", "^"), ("[*]", "*"), ("[*]", "a"),
    ("[?]", "?"), ("[?]", "a"), ("*[!a]*", "aaa"), ("*[!a]*", "aab"), ("caf\u00e9", "cafe\u0301"), ("\u0130", "i"),
    ("[\U0001f600-\U0001f64f]", "\U0001f610"), ("[\U0001f600-\U0001f64f]", "\U0001f700"), ("*\ud83d", "x\ud83d"),
    ("?", "\ud83d"), ("[\ud800-\udfff]", "\ude00"), ("a*" * 15 + "b", "a" * 60), ("*" * 50 + "b", "a" * 60),
]

PATTERN_ALPHABET = "ab" "a*?[]!-^\\" "*[]!-" "bc.\n&~|[" "\u00e9\U0001f600"
NAME_ALPHABET = "aab" "bc" "-!]^\\[" ".\n&~|" "\u00e9\U0001f600"


def text(alphabet, longest):
    return "".join(random.choice(alphabet) for _ in range(random.randrange(longest + 1)))


def random_case():
    pattern = text(PATTERN_ALPHABET, 9)
    if random.random() < 0.5:
        pattern = text("ab*?", 3) + "[" + text("abc!-]^\\", 6) + "]" + text("ab*?", 3)
    if random.random() < 0.5:
        return pattern, text(NAME_ALPHABET, 6)
    name = "".join(text(NAME_ALPHABET, 3) if c == "*" else random.choice(NAME_ALPHABET) if c in "?[" else c
                   for c in pattern)
    return pattern, name


def coded(value):
    return ".".join(format(ord(c), "x") for c in value)


random.seed(20261120)
cases = dict.fromkeys(PICKED)
while len(cases) < 8000:
    cases[random_case()] = None
for pattern, name in cases:
    print(coded(pattern), coded(name), int(fnmatch.fnmatchcase(name, pattern)), sep=";")
