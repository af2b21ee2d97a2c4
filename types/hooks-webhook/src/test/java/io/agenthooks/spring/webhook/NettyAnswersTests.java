package io.agenthooks.spring.webhook;

import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import io.agenthooks.spring.webhook.FaultyServer.Behaviour;

/**
 * The answers of {@link WebhookToolHookTests} that decide, with Reactor Netty: those that
 * take long are only asked with the client of the JDK in each build.
 */
class NettyAnswersTests {

	private final WebhookToolHookTests tests = new WebhookToolHookTests();

	static Stream<Arguments> validAnswers() {
		return WebhookToolHookContract.validAnswers();
	}

	static Stream<Arguments> refusals() {
		return WebhookToolHookContract.refusals();
	}

	static Stream<Arguments> denialInAnAnswerThatFailsDenies() {
		return WebhookToolHookContract.denialInAnAnswerThatFailsDenies();
	}

	@ParameterizedTest
	@MethodSource("validAnswers")
	void validAnswerApproves(String situation, Behaviour behaviour) {
		this.tests.preCallWithValidAnswerApproves(situation, behaviour);
	}

	@ParameterizedTest
	@MethodSource("refusals")
	void answerWithoutAVerdictDenies(String situation, Behaviour behaviour) {
		this.tests.preCallWithoutValidVerdictIsDeniedInAnyCase(situation, behaviour);
	}

	@ParameterizedTest
	@MethodSource("denialInAnAnswerThatFailsDenies")
	void denialInAnAnswerThatFailsDenies(String situation, Behaviour behaviour) {
		this.tests.denialInAnAnswerThatFailsDenies(situation, behaviour);
	}

}
