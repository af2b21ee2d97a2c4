package io.agenthooks.spring.origin;

import java.lang.ref.WeakReference;
import java.util.AbstractList;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.Collection;
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
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.target.AbstractLazyCreationTargetSource;

import io.agenthooks.spring.origin.WrappedTools.Contents;

import static org.assertj.core.api.Assertions.assertThat;

// of the very tool; what is only held
@SuppressWarnings({ "FutureReturnValueIgnored", "ReferenceEquality", "UnusedVariable" })
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
				(tool) -> new ArrayList<>(List.of(tool)), (tool) -> new Tool[] { tool }, (tool) -> Map.entry("a", tool),
				(tool) -> Map.of(tool, "a"), (tool) -> new AtomicReferenceArray<>(new Tool[] { tool }),
				(tool) -> new WeakReference<>(tool) {
				}, (tool) -> new HashMap<>(Map.of("a", tool)), (tool) -> new ConcurrentHashMap<>(Map.of("a", tool)),
				(tool) -> new Bounded(tool), (tool) -> new OwnList(List.of(tool)), (tool) -> new OwnMap(tool),
				(tool) -> new Nested(new Nested(tool)), (tool) -> (Supplier<Tool>) () -> tool);
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
		assertThat(this.wrappers.find(wrapper).tools()).isEmpty();
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
		return List.of(new Change(list, list::add), new Change(map, (tool) -> map.put("a", tool)),
				new Change(reference, reference::set), new Change(future, future::complete),
				new Change(array, (tool) -> array[0] = tool), new Change(late, (tool) -> late.tool = tool),
				new Change(new Nested(nested), (tool) -> nested.tool = tool));
	}

	/**
	 * What is not there yet, or cannot be read, may be a tool that is searched for.
	 */
	@ParameterizedTest
	@MethodSource("hidden")
	void toolThatMayComeLaterIsUncertain(Tool wrapper) {
		assertThat(this.wrappers.find(wrapper)).isEqualTo(new Contents<Tool>(List.of(), false));
	}

	static List<Tool> hidden() {
		Tool target = new Local("a");
		return List.of(new Wrapper(new Late()), new Holding<>(new AtomicReference<Tool>()),
				new Holding<>(new CompletableFuture<Tool>()), new Holding<>(ThreadLocal.withInitial(() -> target)),
				new Holding<>(new ThreadLocal<Tool>() {

					@Override
					protected Tool initialValue() {
						return new Remote();
					}

				}), new Holding<>(new FutureTask<>(() -> target)), new Cached(new HashMap<>()),
				new Cached(Collections.unmodifiableMap(new HashMap<>(Map.of("a", target)))),
				new Wrapper(Collections.synchronizedList(new ArrayList<>())), new Wrapper(new Tool[1]),
				new Wrapper(proxy(Tool.class)), new Wrapper(proxy(Cached.class)), proxy(Tool.class),
				new ByInterface(Map.of()), new Many<>(Collections.unmodifiableList(List.of("text"))));
	}

	@ParameterizedTest
	@MethodSource("honest")
	void whatIsDeclaredToHoldSomethingElseIsCertain(Object honest) {
		assertThat(this.wrappers.find(new Wrapper(honest))).isEqualTo(nothing());
	}

	static List<Object> honest() {
		return List.of(new Service(), new Final(null, List.of(), Map.of(), Optional.empty()), proxy(Service.class),
				proxy(Account.class), List.of(Optional.of("text")), new ThreadLocal<String>() {
				}.getClass(), Thread.State.NEW, new Cached(Map.of()));
	}

	private static Object proxied(Object target) {
		return new ProxyFactory(target).getProxy();
	}

	@Test
	void adviceOfAProxiedToolIsRead() {
		Remote remote = new Remote();
		ProxyFactory factory = new ProxyFactory(new Local("a"));
		factory.addAdvice((MethodInterceptor) (invocation) -> invocation.getMethod().invoke(remote));
		assertThat(this.wrappers.find((Tool) factory.getProxy()).tools()).containsExactly(remote);
		assertThat(this.wrappers.find((Tool) proxied(new Local("a")))).isEqualTo(nothing());
		assertThat(this.wrappers.find((Tool) proxied(new Wrapper(remote))).tools()).containsExactly(remote);
	}

	/**
	 * Leads to an object that is made with each call, which must not happen here.
	 */
	private static <P> P proxy(Class<P> type) {
		ProxyFactory factory = new ProxyFactory();
		factory.setTargetSource(new AbstractLazyCreationTargetSource() {

			@Override
			protected Object createObject() {
				throw new IllegalStateException("Asked");
			}

			@Override
			public Class<?> getTargetClass() {
				return type;
			}

		});
		if (type.isInterface()) {
			factory.addInterface(type);
		}
		else {
			factory.setProxyTargetClass(true);
		}
		return type.cast(factory.getProxy(WrappedToolsTests.class.getClassLoader()));
	}

	@ParameterizedTest
	@MethodSource("views")
	void collectionBehindAViewIsNotAsked(Object view) {
		assertThat(this.wrappers.find(new Wrapper(view))).isEqualTo(new Contents<Tool>(List.of(), false));
	}

	static List<Object> views() {
		List<Object> asked = new Loading(new Local("a"));
		Map<String, Tool> map = new OwnMap(new Local("a"));
		return List.of(Collections.unmodifiableList(asked), Collections.unmodifiableCollection(asked),
				Collections.synchronizedList(asked), Collections.checkedList(asked, Object.class),
				Collections.unmodifiableMap(map), Collections.synchronizedMap(map),
				Collections.checkedMap(map, String.class, Tool.class), new AskedList(), new AskedMap(),
				new AskedReference());
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
		assertThat(this.wrappers.find(new Wrapper(identities)).tools()).isEmpty();
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

	record Holding<H>(H held) implements Tool {
	}

	static class Cached implements Tool {

		private final Map<String, Tool> tools;

		Cached(Map<String, Tool> tools) {
			this.tools = tools;
		}

		@Override
		public String toString() {
			return "Cache of " + this.tools.getClass();
		}

	}

	record Many<M>(List<M> list) implements Tool {
	}

	record ByInterface(Map<String, Runnable> runnables) implements Tool {

		ByInterface {
			runnables = Collections.unmodifiableMap(runnables);
		}

	}

	/** Nothing can come into it. */
	record Final(@Nullable Tool tool, List<Tool> tools, Map<String, Tool> named, Optional<Tool> none) {
	}

	/** Holds nothing that is a tool, in ways in which there could be one. */
	static class Service {

		private final ThreadLocal<String> last = new ThreadLocal<>();

		private final Map<String, List<String>> cache = new HashMap<>();

		private final AtomicReference<Throwable> failure = new AtomicReference<>();

		private final CompletableFuture<?> end = new CompletableFuture<>();

		private final List<String> names = Collections.unmodifiableList(new ArrayList<>());

		private final Map<String, Account> accounts = Collections.synchronizedMap(new LinkedHashMap<>());

		private final List<Account> others = Collections.synchronizedList(new ArrayList<>());

		private @Nullable Object nothing;

		@Override
		public String toString() {
			return "Service";
		}

	}

	static class Account {

		private final Map<String, String> texts = new HashMap<>();

		private @Nullable Account parent;

		@Override
		public String toString() {
			return this.texts.toString() + this.parent;
		}

	}

	static final class AskedList extends ArrayList<Object> {

		private static final long serialVersionUID = 1;

		@Override
		public Object[] toArray() {
			throw new AssertionError("Asked");
		}

	}

	static final class AskedMap extends HashMap<String, Object> {

		private static final long serialVersionUID = 1;

		@Override
		public Collection<Object> values() {
			throw new AssertionError("Asked");
		}

	}

	static final class AskedReference extends WeakReference<Object> {

		AskedReference() {
			super("text");
		}

		@Override
		public Object get() {
			throw new AssertionError("Asked");
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
