package io.agenthooks.spring.approval;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.agenthooks.spring.approval.SignedLinks.Opened;
import io.agenthooks.spring.suspend.ApprovalAnswer;
import io.agenthooks.spring.suspend.ApprovalAnswer.Verdict;
import io.agenthooks.spring.suspend.ApprovalRequest;
import io.agenthooks.spring.suspend.Person;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests of which links work, and until when.
 */
class SignedLinksTests {

	private static final String SECRET = "0123456789abcdef0123456789abcdef";

	private static final String OTHER_SECRET = "fedcba9876543210fedcba9876543210";

	private static final String BASE = "https://agents.example.com/hooks/approvals/links/";

	private static final Set<String> APPROVERS = Set.of(MemoryApprovals.APPROVER);

	private static final Person ANN = new Person("ann", Set.of(MemoryApprovals.APPROVER, "ROLE_PAYROLL"));

	private static final Person BOB = new Person("bob", APPROVERS);

	private final MemoryApprovals approvals = new MemoryApprovals((event) -> {
	});

	private final SignedLinks links = links(Clock.systemUTC(), SECRET);

	private SignedLinks links(Clock clock, String... secrets) {
		return new SignedLinks(new LinkTokens(List.of(secrets)), BASE, Duration.ofHours(1), APPROVERS, this.approvals,
				clock);
	}

	private static Clock later(Duration time) {
		return Clock.fixed(Instant.now().plus(time), ZoneOffset.UTC);
	}

	private String token(ApprovalRequest request, Person person) {
		return tokenOf(this.links.linkFor(request, person).orElseThrow());
	}

	private static String tokenOf(URI link) {
		assertThat(link.toString()).startsWith(BASE);
		return link.toString().substring(BASE.length());
	}

	private @Nullable Opened open(String token) {
		return this.links.open(token);
	}

	private static ApprovalAnswer answer(Person person, Verdict verdict) {
		return new ApprovalAnswer(person, verdict, (verdict == Verdict.EDIT) ? "{\"to\":\"eve\"}" : null, null);
	}

	private ApprovalRequest ask(String id, int approvals) {
		ApprovalRequest one = MemoryApprovals.question(id, "carl", "{\"to\":\"ada\"}");
		return this.approvals.ask(new ApprovalRequest(one.id(), one.state(), one.revision(), one.tool(),
				one.arguments(), one.fingerprint(), one.callId(), one.sessionId(), one.runId(), one.agent(), one.user(),
				one.askedBy(), one.rule(), one.reason(), one.earlierCalls(), one.askedAt(), one.expiresAt(), approvals,
				one.votes()));
	}

	@Test
	void linkLeadsItsPersonToItsQuestion() {
		ApprovalRequest request = this.approvals.ask("q-1");
		Opened opened = Objects.requireNonNull(open(token(request, ANN)));
		assertThat(opened.request()).isEqualTo(request);
		assertThat(opened.person()).isEqualTo(new Person("ann", APPROVERS));
	}

	@Test
	void linkSaysNothingOfOtherAuthoritiesArgumentsAndSecrets() {
		String token = token(this.approvals.ask("q-1"), ANN);
		String content = new String(Base64.getUrlDecoder().decode(token), StandardCharsets.ISO_8859_1);
		assertThat(content).contains("ann").doesNotContain("PAYROLL", "ada", "send_email", SECRET);
	}

	@Test
	void changedBitOfALinkMakesItVoid() {
		String token = token(this.approvals.ask("q-1"), ANN);
		byte[] bytes = Base64.getUrlDecoder().decode(token);
		for (int i = 0; i < bytes.length * 8; i++) {
			byte[] changed = bytes.clone();
			changed[i / 8] ^= (byte) (1 << (i % 8));
			assertThat(open(Base64.getUrlEncoder().withoutPadding().encodeToString(changed))).as("bit " + i).isNull();
		}
		for (int length = 0; length < token.length(); length++) {
			assertThat(open(token.substring(0, length))).as("length " + length).isNull();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "-", "AAAA", "....", "==", "\u00E4", "a b" })
	void whatIsNoTokenIsVoid(String token) {
		assertThat(open(token)).isNull();
	}

	@Test
	void otherSpellingOfALinkIsVoid() {
		String token = token(this.approvals.ask("q-1"), ANN);
		assertThat(open(token + "=")).isNull();
		assertThat(open(token + "A")).isNull();
		assertThat(open(token + ".")).isNull();
		assertThat(open("A".repeat(100_000))).isNull();
		List<String> spellings = new ArrayList<>();
		String alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
		alphabet.chars()
			.mapToObj((last) -> token.substring(0, token.length() - 1) + (char) last)
			.filter((spelled) -> !spelled.equals(token))
			.forEach(spellings::add);
		assertThat(spellings).hasSize(63).allSatisfy((spelled) -> assertThat(open(spelled)).isNull());
	}

	@Test
	void linkOfAnotherSecretIsVoidAndThatOfAFormerOneWorks() {
		ApprovalRequest request = this.approvals.ask("q-1");
		String former = tokenOf(links(Clock.systemUTC(), OTHER_SECRET).linkFor(request, ANN).orElseThrow());
		assertThat(open(former)).isNull();
		SignedLinks rotated = links(Clock.systemUTC(), SECRET, OTHER_SECRET);
		assertThat(rotated.open(former)).isNotNull();
		assertThat(open(tokenOf(rotated.linkFor(request, ANN).orElseThrow()))).isNotNull();
	}

	@Test
	void linkEndsWithItsTimeAndWithItsQuestion() {
		ApprovalRequest request = this.approvals.ask("q-1");
		SignedLinks brief = new SignedLinks(new LinkTokens(List.of(SECRET)), BASE, Duration.ofMinutes(1), APPROVERS,
				this.approvals, Clock.systemUTC());
		String token = tokenOf(brief.linkFor(request, ANN).orElseThrow());
		assertThat(links(later(Duration.ofSeconds(50)), SECRET).open(token)).isNotNull();
		assertThat(links(later(Duration.ofSeconds(61)), SECRET).open(token)).isNull();
		String longer = token(request, ANN);
		assertThat(links(later(Duration.ofSeconds(110)), SECRET).open(longer)).isNotNull();
		assertThat(links(later(Duration.ofSeconds(121)), SECRET).open(longer)).isNull();
		assertThat(links(later(Duration.ofSeconds(121)), SECRET).linkFor(request, ANN)).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "APPROVE", "DENY", "EDIT" })
	void linkIsVoidOnceItsPersonDecidedInAnyWay(String verdict) {
		ApprovalRequest request = ask("q-1", 3);
		String token = token(request, ANN);
		this.approvals.answer("q-1", 0, answer(new Person("ANN", APPROVERS), Verdict.valueOf(verdict)));
		assertThat(open(token)).isNull();
	}

	@Test
	void linkIsVoidOnceTheQuestionIsSettled() {
		ApprovalRequest request = this.approvals.ask("q-1");
		String token = token(request, ANN);
		ApprovalRequest settled = this.approvals.answer("q-1", 1, answer(BOB, Verdict.DENY));
		assertThat(open(token)).isNull();
		assertThat(this.links.linkFor(settled, ANN)).isEmpty();
	}

	@Test
	void approvalOfAnotherLeavesALinkAndAnEditDoesNot() {
		ApprovalRequest request = ask("q-1", 3);
		String token = token(request, ANN);
		ApprovalRequest approved = this.approvals.answer("q-1", 1, answer(BOB, Verdict.APPROVE));
		assertThat(Objects.requireNonNull(open(token)).request().revision()).isEqualTo(2);
		assertThat(this.links.linkFor(approved, BOB)).isEmpty();
		ApprovalRequest edited = this.approvals.answer("q-1", 2, answer(new Person("dan", APPROVERS), Verdict.EDIT));
		assertThat(open(token)).isNull();
		// The approval of Bob was for other arguments.
		assertThat(open(token(edited, BOB))).isNotNull();
		assertThat(open(token(edited, ANN))).isNotNull();
	}

	@Test
	void nobodyGetsALinkWhoMayNotDecide() {
		ApprovalRequest request = this.approvals.ask("q-1");
		assertThat(this.links.linkFor(request, new Person("carl", APPROVERS))).isEmpty();
		assertThat(this.links.linkFor(request, new Person("eve", Set.of("ROLE_PAYROLL")))).isEmpty();
	}

	@Test
	void linkIsVoidForTheOneForWhomTheAgentActs() {
		LinkTokens tokens = new LinkTokens(List.of(SECRET));
		ApprovalRequest request = this.approvals.ask("q-1");
		LinkTokens.Linked own = new LinkTokens.Linked("q-1", 1, 0, request.fingerprint(), request.expiresAt(),
				new Person("carl", APPROVERS));
		assertThat(open(tokens.write(own))).isNull();
		LinkTokens.Linked without = new LinkTokens.Linked("q-1", 1, 0, request.fingerprint(), request.expiresAt(),
				new Person("ann", Set.of()));
		assertThat(open(tokens.write(without))).isNull();
	}

	@Test
	void linkOfAQuestionThatIsGoneIsVoid() {
		assertThat(open(token(MemoryApprovals.question("never", "carl", "{}"), ANN))).isNull();
	}

	@Test
	void nameThatIsTooLongIsRefused() {
		ApprovalRequest request = this.approvals.ask("q-1");
		for (int length : new int[] { 3_000, 70_000 }) {
			Person person = new Person("a".repeat(length), APPROVERS);
			assertThatIllegalArgumentException().isThrownBy(() -> this.links.linkFor(request, person))
				.withMessageContaining("too long for a link");
		}
	}

}
