/**
 * Searches texts for patterns, in time that grows with the text alone. Start at
 * {@link io.agenthooks.pattern.PatternSet}.
 * <p>
 * Patterns are written by an operator, but the texts they are searched for in are written
 * by a model, perhaps by an attacker. So the search must end soon whatever the text, and
 * with a thousand patterns as with one. Backtracking engines, such as Java's own, take
 * minutes or overflow their stack on a few kilobytes made for that; those that run in
 * linear time look at the text once for each pattern. Hence an engine of our own:
 * <ul>
 * <li>{@code RegexParser} reads a pattern in Java's syntax and with Java's meaning, and
 * refuses what cannot be searched for in linear time. What it makes is a {@code Regex}:
 * few kinds of parts over {@code CharSet}s and {@code Anchor}s.</li>
 * <li>{@code Nfa} is the graph of some patterns, and {@code Alphabet} the few sorts of
 * characters that they can tell apart.</li>
 * <li>{@code LazyDfa} walks through that graph and remembers where it has been, so that a
 * character of a text costs one look into a table, for any number of patterns.</li>
 * <li>{@code PatternSet} has one such automaton for all patterns of an argument. Counters
 * such as <code>{0,50}</code> would make it explode, so there they are relaxed; only if
 * it finds such a pattern, that one is searched for again, alone and exactly.</li>
 * <li>{@code PatternFinder} also says where: it goes through the text once, and back from
 * each place where a pattern ends. What it tells is not one match after the other, but
 * every character that is part of any match, for that is what must not be shown.</li>
 * <li>{@code Budget} ends the work on a call that is made to be costly: it is
 * denied.</li>
 * </ul>
 */
@NullMarked
package io.agenthooks.pattern;

import org.jspecify.annotations.NullMarked;
