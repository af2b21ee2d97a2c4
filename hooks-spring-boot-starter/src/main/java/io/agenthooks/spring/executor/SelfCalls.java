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
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.asm.ClassReader;
import org.springframework.asm.ClassVisitor;
import org.springframework.asm.Handle;
import org.springframework.asm.Label;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.asm.SpringAsmInfo;
import org.springframework.asm.Type;
import org.springframework.util.ClassUtils;

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

	private SelfCalls(Class<?> type) {
		this.types = Stream
			.concat(Stream.<Class<?>>iterate(type, (one) -> one != null && one != Object.class, Class::getSuperclass),
					ClassUtils.getAllInterfacesForClassAsSet(type).stream())
			.filter((one) -> one != ToolExecutor.class)
			.toList();
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
		Deque<Call> open = new ArrayDeque<>(List.of(new Call(owner, method, false)));
		while (!open.isEmpty()) {
			Call call = open.remove();
			if (!seen.add(call.owner() + "." + call.method())) {
				continue;
			}
			for (Call next : callsOf(call)) {
				if (next.method().startsWith(EXECUTE) && (isOwn(next.owner()) || isOfThis(next, call.owner()))) {
					return true;
				}
				if (next.withThis() && isOwn(call.owner()) && !isOwn(next.owner()) && !isNested(next.owner())) {
					this.helpers.add(next.owner());
				}
				open.add(next);
			}
		}
		return false;
	}

	/**
	 * Whether a call is one of this executor, which is known by our interface only: it is
	 * called here, or by somebody whom it was handed to.
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
			if (this.helpers.contains(call.owner())) {
				Code body = codeOf(call.owner()).get(call.method());
				return (body != null) ? body.calls : Set.of();
			}
			Set<Call> all = new LinkedHashSet<>();
			if (isNested(call.owner())) {
				codeOf(call.owner()).values().forEach((body) -> all.addAll(body.calls));
			}
			return all;
		}
		for (Class<?> type : this.types) {
			String name = Type.getInternalName(type);
			if (call.exactly() && !name.equals(call.owner())) {
				continue;
			}
			Code body = codeOf(name).get(call.method());
			if (body != null && !body.isAbstract) {
				return body.calls;
			}
		}
		return Set.of();
	}

	private Map<String, Code> codeOf(String type) {
		return this.code.computeIfAbsent(type, this::read);
	}

	private Map<String, Code> read(String type) {
		Map<String, Code> methods = new HashMap<>();
		if (type.startsWith("java/")) {
			return methods;
		}
		ClassLoader classLoader = this.types.get(0).getClassLoader();
		try (InputStream file = (classLoader != null) ? classLoader.getResourceAsStream(type + ".class") : null) {
			if (file != null) {
				new ClassReader(file).accept(new Reader(methods), ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
			}
			return methods;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * A call that a body makes.
	 *
	 * @param owner the class by which it is made
	 * @param method the method
	 * @param exactly whether it is that of this very class
	 * @param ofThis whether it is made of the object itself
	 * @param withThis whether the object itself is among the arguments
	 */
	private record Call(String owner, String method, boolean exactly, boolean ofThis, boolean withThis) {

		Call(String owner, String method, boolean exactly) {
			this(owner, method, exactly, false, false);
		}

	}

	/**
	 * The body of a method.
	 */
	private static final class Code {

		private final boolean isAbstract;

		private final Set<Call> calls = new LinkedHashSet<>();

		Code(boolean isAbstract) {
			this.isAbstract = isAbstract;
		}

	}

	private static final class Reader extends ClassVisitor {

		private final Map<String, Code> methods;

		Reader(Map<String, Code> methods) {
			super(SpringAsmInfo.ASM_VERSION);
			this.methods = methods;
		}

		@Override
		public MethodVisitor visitMethod(int access, String name, String descriptor, @Nullable String signature,
				String @Nullable [] exceptions) {
			Code body = new Code((access & Opcodes.ACC_ABSTRACT) != 0);
			this.methods.put(name + descriptor, body);
			return new Body(body, (access & Opcodes.ACC_STATIC) == 0);
		}

	}

	/**
	 * Reads a body, and follows the object itself to the arguments of calls. Behind an
	 * expression that is too much for this, an object that was an argument before it may
	 * be one of the next call that takes executors.
	 */
	private static final class Body extends MethodVisitor {

		private final Code body;

		private final Set<Integer> variables = new HashSet<>();

		/** Whether each value on the stack is the object itself. */
		private final Deque<Boolean> stack = new ArrayDeque<>();

		/** Whether the object itself was on the stack when that was lost. */
		private boolean lost;

		Body(Code body, boolean hasThis) {
			super(SpringAsmInfo.ASM_VERSION);
			this.body = body;
			if (hasThis) {
				this.variables.add(0);
			}
		}

		private boolean pop() {
			return !this.stack.isEmpty() && this.stack.pop();
		}

		@Override
		public void visitVarInsn(int opcode, int variable) {
			if (opcode >= Opcodes.ILOAD && opcode <= Opcodes.ALOAD) {
				this.stack.push(opcode == Opcodes.ALOAD && this.variables.contains(variable));
				return;
			}
			if (opcode == Opcodes.ASTORE && pop()) {
				this.variables.add(variable);
			}
			else {
				this.variables.remove(variable);
			}
			this.stack.clear();
			this.lost = false;
		}

		@Override
		public void visitInsn(int opcode) {
			if (opcode >= Opcodes.ACONST_NULL && opcode <= Opcodes.DCONST_1) {
				this.stack.push(false);
			}
			else if (opcode == Opcodes.DUP) {
				this.stack.push(!this.stack.isEmpty() && this.stack.getFirst());
			}
			else if (opcode == Opcodes.POP) {
				pop();
			}
			else if (opcode != Opcodes.NOP) {
				forget();
			}
		}

		@Override
		public void visitIntInsn(int opcode, int operand) {
			if (opcode == Opcodes.NEWARRAY) {
				pop();
			}
			this.stack.push(false);
		}

		@Override
		public void visitLdcInsn(Object value) {
			this.stack.push(false);
		}

		@Override
		public void visitTypeInsn(int opcode, String type) {
			if (opcode == Opcodes.CHECKCAST) {
				return;
			}
			if (opcode != Opcodes.NEW) {
				pop();
			}
			this.stack.push(false);
		}

		@Override
		public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
			if (opcode == Opcodes.GETFIELD) {
				pop();
				this.stack.push(false);
			}
			else if (opcode == Opcodes.GETSTATIC) {
				this.stack.push(false);
			}
			else {
				forget();
			}
		}

		@Override
		public void visitJumpInsn(int opcode, Label label) {
			forget();
		}

		@Override
		public void visitMethodInsn(int opcode, String owner, String called, String descriptor, boolean isInterface) {
			boolean withThis = popArguments(descriptor);
			boolean ofThis = opcode != Opcodes.INVOKESTATIC && pop();
			this.body.calls
				.add(new Call(owner, called + descriptor, opcode == Opcodes.INVOKESPECIAL, ofThis, withThis));
			pushResult(descriptor);
		}

		@Override
		public void visitInvokeDynamicInsn(String called, String descriptor, Handle bootstrap, Object... arguments) {
			boolean withThis = popArguments(descriptor);
			for (Object argument : arguments) {
				if (argument instanceof Handle handle) {
					String method = handle.getName() + handle.getDesc();
					this.body.calls.add(new Call(handle.getOwner(), method, false, withThis, false));
				}
			}
			pushResult(descriptor);
		}

		private void forget() {
			this.lost = this.lost || this.stack.contains(true);
			this.stack.clear();
		}

		private boolean popArguments(String descriptor) {
			boolean withThis = this.lost && descriptor.contains("L" + EXECUTOR + ";");
			this.lost = this.lost && !withThis;
			for (int i = Type.getArgumentTypes(descriptor).length; i > 0; i--) {
				withThis = pop() || withThis;
			}
			return withThis;
		}

		private void pushResult(String descriptor) {
			if (Type.getReturnType(descriptor).getSort() != Type.VOID) {
				this.stack.push(false);
			}
		}

	}

}
