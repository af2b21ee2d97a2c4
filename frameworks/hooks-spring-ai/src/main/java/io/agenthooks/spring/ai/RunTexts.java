package io.agenthooks.spring.ai;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import org.springframework.ai.chat.prompt.Prompt;

import io.agenthooks.flow.Conversation.Speaker;
import io.agenthooks.flow.Conversation.Turn;
import io.agenthooks.spring.caller.GivenTexts;

/** The texts of the user of a run, and what of them the model has read. */
final class RunTexts {

	private final GivenTexts given;

	/** The texts that the model read last in the place of the user. */
	private volatile List<String> read = List.of();

	/** Whether the model has read something that was answered before. */
	private volatile boolean goesOn;

	/** Whether prompts are seen before hooks change them. */
	private volatile boolean hooked;

	RunTexts(GivenTexts given, boolean goesOn) {
		this.given = given;
		this.goesOn = goesOn;
	}

	GivenTexts given() {
		return this.given;
	}

	List<String> users(List<String> texts) {
		return Stream.concat(this.given.users(this.read).stream(), this.given.users(texts).stream())
			.distinct()
			.toList();
	}

	/** Hooks around model calls see the prompt before they change it. */
	void read(Prompt prompt, boolean hooked) {
		if (hooked || !this.hooked) {
			this.hooked = hooked;
			List<String> texts = ReadTurns.usersTexts(prompt.getInstructions());
			this.given.remember(texts);
			this.read = texts;
			this.goesOn = this.goesOn || ReadTurns.hasEarlierTurns(prompt.getInstructions());
		}
	}

	/**
	 * The turns in the prompt that are not in the conversation of the tools: an advisor
	 * before the model, such as a memory, has added them.
	 */
	List<Turn> readBeside(List<String> texts) {
		Set<String> there = new HashSet<>(texts);
		return this.given.read(this.read)
			.stream()
			.flatMap(List::stream)
			.filter((turn) -> turn.speaker() == Speaker.OTHER || !there.contains(turn.text()))
			.toList();
	}

	boolean goesOn() {
		return this.goesOn;
	}

}
