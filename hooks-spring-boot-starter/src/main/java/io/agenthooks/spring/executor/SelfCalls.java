package io.agenthooks.spring.executor;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.asm.ClassReader;
import org.springframework.asm.ClassVisitor;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.asm.SpringAsmInfo;
import org.springframework.asm.Type;
import org.springframework.util.ClassUtils;

import io.agenthooks.spring.executor.MethodReader.Call;
import io.agenthooks.spring.executor.MethodReader.Escapes;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolExecutor;

/**
 * Finds the methods of an executor that call its own {@link ToolExecutor#execute}: the
 * guard is in front of the object, so it does not see such calls. The code of the class
 * is read, with its superclasses and nested classes, from method to method, and so is
 * what it hands itself to.
 */
final class SelfCalls {

	private static final String EXECUTOR = Type.getInternalName(ToolExecutor.class);

	private static final String EXECUTE = "execute(" + Type.getDescriptor(ToolCall.class) + ")";

	/** The class, what it extends and what it implements, lowest first. */
	private final List<Class<?>> types;

	private final Map<String, Map<String, Code>> code = new HashMap<>();

	/** Other classes that the executor hands itself to. */
	private final Set<String> helpers = new HashSet<>();

	/** The methods of other classes that may keep their arguments. */
	private final Map<String, Boolean> keeping = new HashMap<>();

	private final Escapes escapes;

	private SelfCalls(Class<?> type) {
		this.types = Stream
			.concat(Stream.<Class<?>>iterate(type, (one) -> one != null && one != Object.class, Class::getSuperclass),
					ClassUtils.getAllInterfacesForClassAsSet(type).stream())
			.filter((one) -> one != ToolExecutor.class)
			.toList();
		Set<String> known = this.types.stream()
			.filter((one) -> !one.getName().startsWith("java."))
			.flatMap((one) -> Stream.of(one.getDeclaredMethods()))
			.map(SelfCalls::key)
			.collect(Collectors.toSet());
		this.escapes = new Escapes(new HashSet<>(), known, this::keeps);
		follow();
	}

	/**
	 * Read until it is known in which fields, and in which arguments, the executor may
	 * be.
	 */
	private void follow() {
		for (int before = -1; before != this.escapes.size();) {
			before = this.escapes.size();
			this.code.clear();
			Deque<String> open = new ArrayDeque<>(this.types.stream().map(Type::getInternalName).toList());
			while (!open.isEmpty()) {
				codeOf(open.remove()).values()
					.stream()
					.flatMap((body) -> body.calls().stream())
					.map(Call::owner)
					.filter((owner) -> isNested(owner) && !this.code.containsKey(owner) && !open.contains(owner))
					.forEach(open::add);
			}
		}
	}

	/**
	 * The methods that run tools past a guard.
	 * @param type the class of an executor
	 * @param byInterface whether others see only its interfaces
	 * @return the methods as one would call them, such as {@code run(String)}
	 */
	static Set<String> of(Class<?> type, boolean byInterface) {
		Set<String> found = new LinkedHashSet<>();
		SelfCalls calls = new SelfCalls(type);
		for (Method method : ClassUtils.getUserClass(type).getMethods()) {
			calls.add(method, byInterface, found);
		}
		for (Class<?> declaring : calls.types) {
			if (!declaring.isInterface() && !byInterface) {
				Stream.of(declaring.getDeclaredMethods())
					.filter((method) -> !Modifier.isPublic(method.getModifiers()))
					.forEach((method) -> calls.add(method, false, found));
			}
		}
		return found;
	}

	private void add(Method method, boolean byInterface, Set<String> found) {
		if (isEntry(method) && (byInterface || !Modifier.isFinal(method.getModifiers()))
				&& (!byInterface || isOfInterface(method))
				&& runsTools(Type.getInternalName(method.getDeclaringClass()), key(method))) {
			found.add(method.getName() + "("
					+ String.join(", ", Stream.of(method.getParameterTypes()).map(Class::getSimpleName).toList())
					+ ")");
		}
	}

	/**
	 * Whether a method can be called on the guarded executor, and runs on the bare one. A
	 * final one runs on the guarded one, and so does one that only an interface has.
	 */
	private static boolean isEntry(Method method) {
		return !Modifier.isPrivate(method.getModifiers()) && !Modifier.isStatic(method.getModifiers())
				&& !Modifier.isAbstract(method.getModifiers()) && !method.isSynthetic()
				&& !method.getDeclaringClass().isInterface() && method.getDeclaringClass() != Object.class
				&& !key(method).startsWith(EXECUTE);
	}

	private boolean isOfInterface(Method method) {
		return this.types.stream()
			.filter(Class::isInterface)
			.anyMatch((type) -> ClassUtils.hasMethod(type, method.getName(), method.getParameterTypes()));
	}

	private static String key(Method method) {
		return method.getName() + Type.getMethodDescriptor(method);
	}

	private boolean runsTools(String owner, String method) {
		this.helpers.clear();
		Set<String> seen = new HashSet<>();
		Call entry = new Call(owner, method, false, true, false);
		Deque<Call> open = new ArrayDeque<>(List.of(entry));
		while (!open.isEmpty()) {
			Call call = open.remove();
			if (!seen.add(call.owner() + "." + call.method())) {
				continue;
			}
			for (Call next : callsOf(call)) {
				if (next.method().startsWith(EXECUTE) && (isOwn(next.owner()) || isOfThis(next, call.owner()))) {
					return true;
				}
				if (next.withThis() && (isOwn(call.owner()) || isNested(call.owner()))
						&& this.helpers.add(next.owner())) {
					seen.clear();
					open.add(entry);
				}
				open.add(next);
			}
		}
		return false;
	}

	/**
	 * Whether a call is one of this executor, which is known by our interface only: it is
	 * called here, or by another object that got it.
	 */
	private boolean isOfThis(Call call, String caller) {
		return call.owner().equals(EXECUTOR) && (call.ofThis() || this.helpers.contains(caller));
	}

	private boolean isOwn(String owner) {
		return this.types.stream().anyMatch((type) -> Type.getInternalName(type).equals(owner));
	}

	private boolean isNested(String owner) {
		return this.types.stream().anyMatch((type) -> owner.startsWith(Type.getInternalName(type) + "$"));
	}

	/**
	 * What the body of a method calls. One that is overridden is the lowest one.
	 */
	private Set<Call> callsOf(Call call) {
		if (!isOwn(call.owner())) {
			if (isNested(call.owner())) {
				Set<Call> all = new LinkedHashSet<>();
				codeOf(call.owner()).values().forEach((body) -> all.addAll(body.calls()));
				return all;
			}
			Code body = (this.helpers.contains(call.owner())) ? codeOf(call.owner()).get(call.method()) : null;
			return (body != null) ? body.calls() : Set.of();
		}
		for (Class<?> type : this.types) {
			String name = Type.getInternalName(type);
			if (call.exactly() && !name.equals(call.owner())) {
				continue;
			}
			Code body = codeOf(name).get(call.method());
			if (body != null && !body.isAbstract) {
				return body.calls();
			}
		}
		return Set.of();
	}

	private Map<String, Code> codeOf(String type) {
		return this.code.computeIfAbsent(type, this::read);
	}

	private Map<String, Code> read(String type) {
		Map<String, Code> methods = new HashMap<>();
		read(type, new Reader(type, methods, this.escapes, this::isOwn, (method) -> true));
		return methods;
	}

	private void read(String type, Reader reader) {
		ClassLoader classLoader = this.types.get(0).getClassLoader();
		if (type.startsWith("java/") || classLoader == null) {
			return;
		}
		try (InputStream file = classLoader.getResourceAsStream(type + ".class")) {
			if (file != null) {
				new ClassReader(file).accept(reader, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Whether a method of another class may keep its arguments. One of a library may.
	 */
	private boolean keeps(String owner, String method) {
		String key = owner + "." + method;
		Boolean known = this.keeping.putIfAbsent(key, false);
		if (known != null) {
			return known;
		}
		Escapes inside = new Escapes(new HashSet<>(Set.of(key)), Set.of(), this::keeps);
		Map<String, Code> methods = new HashMap<>();
		read(owner, new Reader(owner, methods, inside, (type) -> false, method::equals));
		Code body = methods.get(method);
		boolean keeps = body == null || body.isAbstract || !inside.fields().isEmpty();
		this.keeping.put(key, keeps);
		return keeps;
	}

	/**
	 * The body of a method.
	 *
	 * @param isAbstract whether there is none
	 * @param calls what it calls
	 */
	private record Code(boolean isAbstract, Set<Call> calls) {
	}

	private static final class Reader extends ClassVisitor {

		private final String type;

		private final Map<String, Code> methods;

		private final Escapes escapes;

		private final Predicate<String> own;

		private final Predicate<String> which;

		Reader(String type, Map<String, Code> methods, Escapes escapes, Predicate<String> own,
				Predicate<String> which) {
			super(SpringAsmInfo.ASM_VERSION);
			this.type = type;
			this.methods = methods;
			this.escapes = escapes;
			this.own = own;
			this.which = which;
		}

		@Override
		public @Nullable MethodVisitor visitMethod(int access, String name, String descriptor,
				@Nullable String signature, String @Nullable [] exceptions) {
			String method = name + descriptor;
			if (!this.which.test(method)) {
				return null;
			}
			Code body = new Code((access & Opcodes.ACC_ABSTRACT) != 0, new LinkedHashSet<>());
			this.methods.put(method, body);
			return new MethodReader(body.calls(), this.escapes, this.type, method, (access & Opcodes.ACC_STATIC) != 0,
					this.own);
		}

	}

}
