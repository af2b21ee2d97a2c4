package io.agenthooks.spring.executor;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.asm.Handle;
import org.springframework.asm.Label;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.asm.SpringAsmInfo;
import org.springframework.asm.Type;

import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolResult;

/**
 * Reads the body of a method: what it calls, and where an executor itself goes, through
 * variables, fields, arrays, collections, lambdas and other objects. An object that got
 * the executor may give it back. Where an expression is too complex for this, the
 * executor that was an operand before may be one of the next call.
 */
final class MethodReader extends MethodVisitor {

	private static final Type EXECUTOR = Type.getType(ToolExecutor.class);

	private static final Set<String> NO_EXECUTORS = Set.of("java/lang/String", "java/lang/Class",
			Type.getInternalName(ToolCall.class), Type.getInternalName(ToolResult.class));

	private final Set<Call> calls;

	private final Escapes escapes;

	private final String method;

	private final Predicate<String> own;

	/** Those that may lead to the executor. */
	private final Set<Integer> variables = new HashSet<>();

	private final Map<Integer, List<Call>> lambdas = new HashMap<>();

	private final Deque<Value> stack = new ArrayDeque<>();

	/** Whether the executor may have been on the stack when that was lost. */
	private boolean lost;

	/**
	 * Create a reader.
	 * @param calls takes the calls of the body
	 * @param escapes where the executor goes
	 * @param owner the class of the method
	 * @param method name and descriptor
	 * @param isStatic whether the method is static
	 * @param own whether a class is one of the executor's
	 */
	MethodReader(Set<Call> calls, Escapes escapes, String owner, String method, boolean isStatic,
			Predicate<String> own) {
		super(SpringAsmInfo.ASM_VERSION);
		this.calls = calls;
		this.escapes = escapes;
		this.method = method;
		this.own = own;
		if (!isStatic && own.test(owner)) {
			this.variables.add(0);
		}
		int variable = (isStatic) ? 0 : 1;
		for (Type parameter : Type.getArgumentTypes(method.substring(method.indexOf('(')))) {
			if (escapes.handed().contains(owner + "." + method) && mayLead(parameter)) {
				this.variables.add(variable);
			}
			variable += parameter.getSize();
		}
	}

	private static boolean mayLead(Type type) {
		return type.getSort() == Type.ARRAY
				|| (type.getSort() == Type.OBJECT && !NO_EXECUTORS.contains(type.getInternalName()));
	}

	private boolean isOwn(Type type) {
		return type.getSort() == Type.OBJECT && this.own.test(type.getInternalName());
	}

	private void push(boolean leads) {
		this.stack.push(new Value(leads, null));
	}

	private Value pop() {
		return (this.stack.isEmpty()) ? new Value(this.lost, null) : this.stack.pop();
	}

	/**
	 * An object got the executor.
	 */
	private void mark(Value value) {
		value.leads = true;
		if (value.origin instanceof Integer variable) {
			this.variables.add(variable);
		}
		this.escapes.fields().add((value.origin instanceof String field) ? field : "");
	}

	@Override
	public void visitVarInsn(int opcode, int variable) {
		if (opcode >= Opcodes.ILOAD && opcode <= Opcodes.ALOAD) {
			Value value = new Value(opcode == Opcodes.ALOAD && this.variables.contains(variable), variable);
			value.bodies = this.lambdas.getOrDefault(variable, List.of());
			this.stack.push(value);
			return;
		}
		Value value = pop();
		this.lambdas.put(variable, value.bodies);
		if (opcode == Opcodes.ASTORE && value.leads) {
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
		switch (opcode) {
			case Opcodes.NOP -> {
			}
			case Opcodes.DUP -> {
				Value top = pop();
				this.stack.push(top);
				this.stack.push(top);
			}
			case Opcodes.POP -> pop();
			case Opcodes.AALOAD -> {
				pop();
				push(pop().leads);
			}
			case Opcodes.AASTORE -> {
				boolean leads = pop().leads;
				pop();
				Value array = pop();
				if (leads) {
					mark(array);
				}
			}
			case Opcodes.ARETURN -> {
				if (pop().leads) {
					this.escapes.returning().add(this.method);
				}
				this.stack.clear();
				this.lost = false;
			}
			default -> {
				if (opcode >= Opcodes.ACONST_NULL && opcode <= Opcodes.DCONST_1) {
					push(false);
				}
				else {
					forget();
				}
			}
		}
	}

	@Override
	public void visitIntInsn(int opcode, int operand) {
		if (opcode == Opcodes.NEWARRAY) {
			pop();
		}
		push(false);
	}

	@Override
	public void visitLdcInsn(Object value) {
		push(false);
	}

	@Override
	public void visitTypeInsn(int opcode, String type) {
		if (opcode == Opcodes.CHECKCAST) {
			return;
		}
		if (opcode != Opcodes.NEW) {
			pop();
		}
		push(false);
	}

	@Override
	public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
		String field = owner + "." + name;
		if (opcode == Opcodes.PUTFIELD || opcode == Opcodes.PUTSTATIC) {
			// The compiler itself gives an inner object the outer one.
			if (pop().leads && !name.startsWith("this$")) {
				this.escapes.fields().add(field);
			}
			if (opcode == Opcodes.PUTFIELD) {
				pop();
			}
			return;
		}
		if (opcode == Opcodes.GETFIELD) {
			pop();
		}
		boolean outer = !this.own.test(owner) && isOwn(Type.getType(descriptor));
		this.stack.push(new Value(outer || this.escapes.fields().contains(field), field));
	}

	@Override
	public void visitJumpInsn(int opcode, Label label) {
		forget();
	}

	@Override
	public void visitMethodInsn(int opcode, String owner, String called, String descriptor, boolean isInterface) {
		String key = called + descriptor;
		boolean isOwn = this.own.test(owner);
		Type[] types = Type.getArgumentTypes(descriptor);
		List<Value> arguments = popArguments(types);
		Value receiver = (opcode != Opcodes.INVOKESTATIC) ? pop() : new Value(false, null);
		boolean with = arguments.stream().anyMatch((argument) -> argument.leads);
		boolean handed = receiver.leads;
		for (int i = 0; i < types.length; i++) {
			handed = handed || (arguments.get(i).leads && !isOwn(types[i]));
		}
		this.calls.add(new Call(owner, key, opcode == Opcodes.INVOKESPECIAL, receiver.leads, !isOwn && handed));
		if (with && isOwn) {
			this.escapes.handed().add(owner + "." + key);
		}
		else if (with && this.escapes.keeps().test(owner, key)) {
			mark(receiver);
			if (opcode == Opcodes.INVOKESTATIC) {
				arguments.forEach(this::mark);
			}
		}
		if (with || receiver.leads) {
			Stream.concat(Stream.of(receiver), arguments.stream())
				.flatMap((value) -> value.bodies.stream())
				.forEach(this::handExecutorTo);
		}
		boolean known = isOwn && this.escapes.known().contains(key);
		pushResult(descriptor, (known) ? this.escapes.returning().contains(key)
				: with || receiver.leads || returnExecutor(receiver.bodies));
	}

	/**
	 * A lambda may get the executor as an argument.
	 */
	private void handExecutorTo(Call lambda) {
		this.escapes.handed().add(lambda.owner() + "." + lambda.method());
		this.calls.add(new Call(lambda.owner(), lambda.method(), false, true, !this.own.test(lambda.owner())));
	}

	private boolean returnExecutor(List<Call> lambdas) {
		return lambdas.stream().anyMatch((lambda) -> this.escapes.returning().contains(lambda.method()));
	}

	@Override
	public void visitInvokeDynamicInsn(String called, String descriptor, Handle bootstrap, Object... arguments) {
		List<Value> captured = popArguments(Type.getArgumentTypes(descriptor));
		boolean with = captured.stream().anyMatch((value) -> value.leads);
		List<Call> bodies = Stream.of(arguments).filter(Handle.class::isInstance).map((argument) -> {
			Handle handle = (Handle) argument;
			String key = handle.getName() + handle.getDesc();
			boolean isOwn = this.own.test(handle.getOwner());
			int first = (handle.getTag() == Opcodes.H_INVOKESTATIC) ? 0 : 1;
			if (isOwn && captured.stream().skip(first).anyMatch((value) -> value.leads)) {
				this.escapes.handed().add(handle.getOwner() + "." + key);
			}
			return new Call(handle.getOwner(), key, false, with, with && !isOwn);
		}).toList();
		this.calls.addAll(bodies);
		pushResult(descriptor, bodies.stream().anyMatch(Call::withThis) || returnExecutor(bodies));
		if (!this.stack.isEmpty()) {
			this.stack.getFirst().bodies = bodies;
		}
	}

	private void forget() {
		this.lost = this.lost || this.stack.stream().anyMatch((value) -> value.leads);
		this.stack.clear();
	}

	private List<Value> popArguments(Type[] types) {
		Value[] arguments = new Value[types.length];
		for (int i = types.length - 1; i >= 0; i--) {
			arguments[i] = pop();
			if (this.lost && types[i].equals(EXECUTOR)) {
				// One of the values that a condition chooses from.
				arguments[i] = new Value(true, arguments[i].origin);
			}
			arguments[i].leads = arguments[i].leads && mayLead(types[i]);
		}
		return Arrays.asList(arguments);
	}

	private void pushResult(String descriptor, boolean leads) {
		Type result = Type.getReturnType(descriptor);
		if (result.getSort() != Type.VOID) {
			push(leads && mayLead(result));
		}
		if (this.stack.isEmpty()) {
			this.lost = false;
		}
	}

	/**
	 * A value on the stack. One that is there twice is one object.
	 */
	private static final class Value {

		/** The variable or the field that it was in. */
		private final @Nullable Object origin;

		/** Whether it may be, or lead to, the executor. */
		private boolean leads;

		/** What it calls, if it is a lambda. */
		private List<Call> bodies = List.of();

		Value(boolean leads, @Nullable Object origin) {
			this.leads = leads;
			this.origin = origin;
		}

	}

	/**
	 * Where an executor goes.
	 *
	 * @param fields the fields that may lead to it; an empty name is another place
	 * @param returning the methods that may return it
	 * @param handed the methods that may get it as an argument
	 * @param known the methods of its own
	 * @param keeps whether a method of another class may keep its arguments
	 */
	record Escapes(Set<String> fields, Set<String> returning, Set<String> handed, Set<String> known,
			BiPredicate<String, String> keeps) {

		Escapes(Set<String> handed, Set<String> known, BiPredicate<String, String> keeps) {
			this(new HashSet<>(), new HashSet<>(), handed, known, keeps);
		}

		int size() {
			return this.fields.size() + this.returning.size() + this.handed.size();
		}

	}

	/**
	 * A call that a body makes.
	 *
	 * @param owner the class by which it is made
	 * @param method the method
	 * @param exactly whether it is that of this very class
	 * @param ofThis whether it may be made of the executor itself
	 * @param withThis whether another object may get the executor, or has it
	 */
	record Call(String owner, String method, boolean exactly, boolean ofThis, boolean withThis) {
	}

}
