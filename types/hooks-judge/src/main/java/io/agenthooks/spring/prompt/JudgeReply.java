package io.agenthooks.spring.prompt;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;

import io.agenthooks.SafeText;
import io.agenthooks.spring.external.NoVerdictException;
import io.agenthooks.spring.json.InvalidJsonException;
import io.agenthooks.spring.json.StrictJson;

/**
 * Read strictly: one JSON object with an exact decision and perhaps a reason, nothing
 * around it but one Markdown fence. A broken answer with a denial in it is a denial: it
 * is nothing for {@code fail_open} to let pass.
 */
final class JudgeReply {

	private static final StrictJson json = new StrictJson(0);

	private static final Pattern FENCE = Pattern.compile("\\s*```(?:json|JSON)?[ \\t]*\\R(.*)\\R[ \\t]*```\\s*",
			Pattern.DOTALL);

	private static final Set<String> MEMBERS = Set.of("decision", "reason");

	private static final Set<Object> DENIALS = Set.of("deny", "block");

	/** So models say that they are done. */
	private static final Set<String> DONE = Set.of("stop", "end_turn", "stop_sequence", "complete", "completed", "eos",
			"eos_token");

	private static final String NO_REASON = "The judge gave no reason";

	private final Generation generation;

	private final String text;

	private JudgeReply(Generation generation) {
		this.generation = generation;
		String said = generation.getOutput().getText();
		this.text = (said != null) ? said : "";
	}

	/** There may be several variants. */
	static Judgement read(@Nullable ChatResponse response) throws NoVerdictException {
		List<JudgeReply> variants = (response != null) ? response.getResults().stream().map(JudgeReply::new).toList()
				: List.of();
		List<Judgement> rulings = new ArrayList<>();
		InvalidJsonException broken = null;
		for (JudgeReply variant : variants) {
			try {
				rulings.add(variant.read());
			}
			catch (InvalidJsonException ex) {
				broken = ex;
			}
		}
		if (broken == null && rulings.stream().map(Judgement::answer).distinct().count() == 1) {
			return rulings.get(0);
		}
		for (JudgeReply variant : variants) {
			Judgement denial = variant.denial();
			if (denial != null) {
				return denial;
			}
		}
		String message = (variants.isEmpty()) ? "The judge gave no answer" : "The judge gave answers that differ";
		if (broken != null) {
			message = "The answer of the judge " + broken.getMessage();
		}
		// What confuses the judge may be what the agent wrote.
		throw NoVerdictException.refusal(message);
	}

	/** Whatever else is wrong with it. */
	private @Nullable Judgement denial() {
		try {
			Map<String, @Nullable Object> members = members();
			Object decision = members.get("decision");
			return (decision != null && DENIALS.contains(decision))
					? new Judgement(Judgement.Answer.DENY, reason(members), false) : null;
		}
		catch (InvalidJsonException ex) {
			return null;
		}
	}

	private Judgement read() {
		AssistantMessage message = this.generation.getOutput();
		String finish = this.generation.getMetadata().getFinishReason();
		if (finish != null && !finish.isBlank() && !DONE.contains(finish.toLowerCase(Locale.ROOT))) {
			throw new InvalidJsonException("is not complete (" + SafeText.name(finish) + ")");
		}
		if (message.hasToolCalls()) {
			throw new InvalidJsonException("calls tools");
		}
		if (this.text.isBlank()) {
			throw new InvalidJsonException("is empty");
		}
		Map<String, @Nullable Object> members = members();
		if (!MEMBERS.containsAll(members.keySet())) {
			throw new InvalidJsonException("has a member that is neither decision nor reason");
		}
		if (members.get("reason") != null && !(members.get("reason") instanceof String)) {
			throw new InvalidJsonException("has a reason that is not a string");
		}
		return new Judgement(answer(members.get("decision")), reason(members), true);
	}

	private static Judgement.Answer answer(@Nullable Object decision) {
		if (decision == null) {
			throw new InvalidJsonException("has no decision");
		}
		if (decision.equals("allow") || decision.equals("approve")) {
			return Judgement.Answer.ALLOW;
		}
		if (DENIALS.contains(decision)) {
			return Judgement.Answer.DENY;
		}
		if (decision.equals("ask")) {
			return Judgement.Answer.ASK;
		}
		throw new InvalidJsonException("has a decision that is none of allow, approve, deny, block and ask");
	}

	private static String reason(Map<String, @Nullable Object> members) {
		return (members.get("reason") instanceof String reason && !reason.isBlank()) ? reason : NO_REASON;
	}

	private Map<String, @Nullable Object> members() {
		Matcher fence = FENCE.matcher(this.text);
		return json.readObject(((fence.matches()) ? fence.group(1) : this.text).getBytes(StandardCharsets.UTF_8));
	}

}
