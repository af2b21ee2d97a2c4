package io.agenthooks.spring.origin;

import java.util.AbstractList;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import io.agenthooks.spring.origin.WrappedTools.Contents;

import static org.assertj.core.api.Assertions.assertThat;

@SuppressWarnings({ "FutureReturnValueIgnored", "ReferenceEquality", "UnusedVariable" }) // of
																							// the
																							// very
																							// tool;
																							// what
																							// is
// only held
class WrappedToolsTests {

	private final WrappedTools<Tool> wrappers = new WrappedTools<>(Tool.class, (type) -> type == Remote.class,
			(type) -> type == Client.class, (type) -> false);

	@ParameterizedTest
	@MethodSource("holders")
	void toolInHolderIsFound(Function<Tool, Object> holder) {
		Remote remote = new Remote();
		assertThat(this.wrappers.find(new Wrapper(holder.apply(remote))).tools()).containsExactly(remote);
		assertThat(this.wrappers.find(new Wrapper(holder.apply(new Local("a"))))).isEqualTo(nothing());
	}

	private static Object future(Tool tool) {
		return CompletableFuture.completedFuture(tool);
	}

	static List<Function<Tool, Object>> holders() {
		return List.of((tool) -> tool, Optional::of, AtomicReference::new, WrappedToolsTests::future, List::of,
				(tool) -> new ArrayList<>(List.of(tool)), (tool) -> new Tool[] { tool },
				(tool) -> Collections.unmodifiableList(new ArrayList<>(List.of(tool))),
				(tool) -> new HashMap<>(Map.of("a", tool)), (tool) -> new ConcurrentHashMap<>(Map.of("a", tool)),
				(tool) -> new Bounded(tool), (tool) -> new OwnList(List.of(tool)), (tool) -> new OwnMap(tool),
				(tool) -> new Nested(new Nested(tool)), (tool) -> (Supplier<Tool>) () -> tool);
	}

	@Test
	void whatCannotChangeIsSearchedOnce() {
		Tool wrapper = new Wrapper((Supplier<Tool>) () -> new Local("a"));
		assertThat(this.wrappers.find(wrapper)).isEqualTo(nothing());
		assertThat(this.wrappers.remembered()).isEqualTo(1);
		assertThat(this.wrappers.find(wrapper)).isEqualTo(nothing());
		Remote remote = new Remote();
		Tool other = new Wrapper(List.of(remote));
		this.wrappers.find(other);
		assertThat(this.wrappers.remembered()).isEqualTo(2);
		assertThat(this.wrappers.find(other).tools()).containsExactly(remote);
	}

	@Test
	void equalWrappersAreNotTheSame() {
		Tool nothing = new Equal(null);
		Remote remote = new Remote();
		assertThat(this.wrappers.find(nothing)).isEqualTo(nothing());
		assertThat(this.wrappers.find(new Equal(remote)).tools()).containsExactly(remote);
	}

	@ParameterizedTest
	@MethodSource("changes")
	void whatChangesIsSeen(Change change) {
		Tool wrapper = new Wrapper(change.holder());
		assertThat(this.wrappers.find(wrapper)).isEqualTo(nothing());
		Remote remote = new Remote();
		change.put().accept(remote);
		assertThat(this.wrappers.find(wrapper).tools()).containsExactly(remote);
	}

	static List<Change> changes() {
		List<Tool> list = new ArrayList<>();
		Map<String, Tool> map = new HashMap<>();
		AtomicReference<Tool> reference = new AtomicReference<>();
		CompletableFuture<Tool> future = new CompletableFuture<>();
		@Nullable Tool[] array = new Tool[1];
		Late late = new Late();
		Late nested = new Late();
		List<Tool> shown = new ArrayList<>();
		return List.of(new Change(list, list::add), new Change(map, (tool) -> map.put("a", tool)),
				new Change(reference, reference::set), new Change(future, future::complete),
				new Change(array, (tool) -> array[0] = tool), new Change(late, (tool) -> late.tool = tool),
				new Change(new Nested(nested), (tool) -> nested.tool = tool),
				new Change(Collections.unmodifiableList(shown), shown::add));
	}

	@Test
	void collectionOfTheApplicationIsNotAsked() {
		Remote remote = new Remote();
		assertThat(this.wrappers.find(new Wrapper(new Loading(remote))).tools()).containsExactly(remote);
	}

	@Test
	void orderOfAccessesStays() {
		Map<String, Tool> recent = new LinkedHashMap<>(16, 0.75f, true);
		recent.put("first", new Local("a"));
		recent.put("second", new Local("b"));
		this.wrappers.find(new Wrapper(recent));
		assertThat(recent.keySet()).containsExactly("first", "second");
	}

	@Test
	void collectionThatFailsIsUncertain() {
		assertThat(this.wrappers.find(new Wrapper(new Failing()))).isEqualTo(new Contents<Tool>(List.of(), false));
	}

	@Test
	void hugeCollectionIsUncertain() {
		List<Object> many = Collections.nCopies(20_000_000, "text");
		assertThat(this.wrappers.find(new Wrapper(many))).isEqualTo(new Contents<Tool>(List.of(), false));
		List<Object> nested = new ArrayList<>();
		IntStream.range(0, 2_000).forEach((i) -> nested.add(new Nested(new Object())));
		assertThat(this.wrappers.find(new Wrapper(nested)).certain()).isFalse();
	}

	@Test
	void largeCacheOfTextsIsCertain() {
		Texts texts = new Texts();
		IntStream.range(0, 100_000).forEach((i) -> texts.cache.put("key" + i, "text"));
		assertThat(this.wrappers.find(new Wrapper(texts))).isEqualTo(nothing());
	}

	@Test
	void cacheOfTextsThatKnowsMoreIsLookedInto() {
		Remote remote = new Remote();
		Texts texts = new Texts();
		texts.other = new TextsOf(remote);
		assertThat(this.wrappers.find(new Wrapper(texts)).tools()).containsExactly(remote);
	}

	@Test
	void clientIsUncertain() {
		assertThat(this.wrappers.find(new Wrapper(new Nested(new Client()))).certain()).isFalse();
	}

	@Test
	void wrapperThatHoldsItselfEnds() {
		Late late = new Late();
		Tool wrapper = new Wrapper(late);
		late.tool = wrapper;
		assertThat(this.wrappers.find(wrapper)).isEqualTo(nothing());
	}

	@Test
	void equalityOfTheApplicationIsNotAsked() {
		assertThat(this.wrappers.find(new Wrapper(Set.of(new Local("a"))))).isEqualTo(nothing());
		Set<Object> identities = Collections.newSetFromMap(new IdentityHashMap<>());
		identities.add(new Unequal());
		assertThat(this.wrappers.find(new Wrapper(identities))).isEqualTo(nothing());
	}

	private static Contents<Tool> nothing() {
		return new Contents<>(List.of(), true);
	}

	interface Tool {

	}

	static final class Remote implements Tool {

	}

	static final class Client {

	}

	record Local(String name) implements Tool {
	}

	record Nested(Object object) {
	}

	record Change(Object holder, Consumer<Tool> put) {
	}

	static final class Wrapper implements Tool {

		private final Object held;

		Wrapper(Object held) {
			this.held = held;
		}

		@Override
		public String toString() {
			return "Wrapper of a " + this.held.getClass().getSimpleName();
		}

	}

	static final class Equal implements Tool {

		private final @Nullable Tool held;

		Equal(@Nullable Tool held) {
			this.held = held;
		}

		@Override
		public boolean equals(@Nullable Object other) {
			return other instanceof Equal equal && (this.held == null || equal.held == null || equal.held == this.held);
		}

		@Override
		public int hashCode() {
			return 1;
		}

	}

	static final class Unequal {

		@Override
		public boolean equals(@Nullable Object other) {
			throw new IllegalStateException("Asked");
		}

		@Override
		public int hashCode() {
			throw new IllegalStateException("Asked");
		}

	}

	static final class Late {

		private @Nullable Tool tool;

		@Override
		public String toString() {
			return Objects.toString(this.tool != null);
		}

	}

	/** As caches are often made. */
	static final class Bounded extends LinkedHashMap<String, Tool> {

		private static final long serialVersionUID = 1;

		Bounded(Tool tool) {
			put("a", tool);
		}

		@Override
		protected boolean removeEldestEntry(Map.Entry<String, Tool> eldest) {
			return size() > 2;
		}

	}

	static final class OwnList extends AbstractList<Tool> {

		private final List<Tool> tools;

		OwnList(List<Tool> tools) {
			this.tools = tools;
		}

		@Override
		public Tool get(int index) {
			throw new IllegalStateException("Asked");
		}

		@Override
		public int size() {
			throw new IllegalStateException("Asked");
		}

	}

	static final class OwnMap extends AbstractMap<String, Tool> {

		private final Tool tool;

		OwnMap(Tool tool) {
			this.tool = tool;
		}

		@Override
		public Set<Entry<String, Tool>> entrySet() {
			throw new IllegalStateException("Asked for " + this.tool);
		}

	}

	static final class Loading extends AbstractList<Object> {

		private final Supplier<Tool> loader;

		Loading(Tool tool) {
			this.loader = () -> tool;
		}

		@Override
		public Object get(int index) {
			throw new IllegalStateException("Loads " + this.loader);
		}

		@Override
		public int size() {
			throw new IllegalStateException("Loads " + this.loader);
		}

	}

	static final class Failing extends ArrayList<Object> {

		private static final long serialVersionUID = 1;

		@Override
		public Object[] toArray() {
			throw new java.util.ConcurrentModificationException();
		}

	}

	static final class Texts {

		private final Map<String, String> cache = new ConcurrentHashMap<>();

		private Map<String, String> other = Map.of();

		@Override
		public String toString() {
			return this.cache.size() + " " + this.other.size();
		}

	}

	static final class TextsOf extends AbstractMap<String, String> {

		private final Tool source;

		TextsOf(Tool source) {
			this.source = source;
		}

		@Override
		public Set<Entry<String, String>> entrySet() {
			throw new IllegalStateException("Loads from " + this.source);
		}

	}

}
