package io.agenthooks.spring.cel;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

import com.google.common.collect.ImmutableCollection;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypeProvider;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructType;
import dev.cel.common.types.StructTypeReference;
import org.jspecify.annotations.Nullable;

import io.agenthooks.HookRule;
import io.agenthooks.spring.binding.Spelling;
import io.agenthooks.toolcall.ToolHints;
import io.agenthooks.toolcall.ToolIdentity;

@SuppressWarnings("Immutable") // nothing is put into the maps once it is made
final class CelVariables implements CelTypeProvider {

	private static final CelType ANY_MAP = MapType.create(SimpleType.STRING, SimpleType.DYN);

	private static final CelType TEXTS = ListType.create(SimpleType.STRING);

	private static final String MESSAGE = "message";

	private final Map<String, Variable> variables = new LinkedHashMap<>();

	private final Map<String, StructType> types = new LinkedHashMap<>();

	private CelVariables() {
		group("call", callFields());
		group("user", userFields());
		value("now", SimpleType.TIMESTAMP, Scope::now);
		ThingTypes.fields().forEach((thing, fields) -> {
			Map<String, Variable> members = new LinkedHashMap<>();
			// It is a value itself, so nobody asks for a field of its type.
			fields.forEach((name, type) -> members.put(name, Variable.of(type, Scope::now)));
			struct(thing, members);
		});
	}

	static CelVariables ofToolCalls() {
		CelVariables variables = new CelVariables();
		Map<String, Variable> annotations = new LinkedHashMap<>();
		annotation(annotations, "readOnlyHint", ToolHints::readOnly);
		annotation(annotations, "destructiveHint", ToolHints::destructive);
		annotation(annotations, "idempotentHint", ToolHints::idempotent);
		annotation(annotations, "openWorldHint", ToolHints::openWorld);
		Map<String, Variable> mcp = new LinkedHashMap<>();
		mcp.put("server", Variable.of(SimpleType.STRING, (scope) -> identity(scope).server()));
		mcp.put("tool", Variable.of(SimpleType.STRING,
				(scope) -> (identity(scope).isOfApplication()) ? "" : identity(scope).name()));
		Map<String, Variable> tool = new LinkedHashMap<>();
		tool.put("name", Variable.of(SimpleType.STRING, (scope) -> scope.toolCall().tool()));
		tool.put("names", Variable.of(TEXTS, (scope) -> identity(scope).names()));
		tool.put("mcp", variables.struct("tool.mcp", mcp));
		tool.put("annotations", variables.struct("tool.annotations", annotations));
		variables.group("tool", tool);
		variables.value("args", ANY_MAP, Scope::arguments);
		return variables;
	}

	static CelVariables ofToolOutcomes() {
		CelVariables variables = ofToolCalls();
		Map<String, Variable> outcome = new LinkedHashMap<>();
		outcome.put("status", Variable.of(SimpleType.STRING, (scope) -> scope.end().status()));
		outcome.put("verdict", Variable.of(SimpleType.STRING, (scope) -> scope.end().verdict()));
		outcome.put("decided_by", Variable.of(SimpleType.STRING, (scope) -> textOf(scope.end().decidedBy())));
		outcome.put("rule", Variable.of(SimpleType.STRING, CelVariables::rule));
		outcome.put("failure", Variable.of(SimpleType.STRING, (scope) -> textOf(scope.end().failure())));
		outcome.put("duration_ms", Variable.of(SimpleType.INT, (scope) -> scope.outcome().duration().toMillis()));
		outcome.put("failed_open", Variable.of(TEXTS, (scope) -> scope.end().failedOpen()));
		outcome.put("would_deny", Variable.of(TEXTS, (scope) -> scope.end().wouldDeny()));
		outcome.put("replaced_by", Variable.of(TEXTS, (scope) -> scope.end().replacedBy()));
		variables.group("outcome", outcome);
		return variables;
	}

	private static String rule(Scope scope) {
		HookRule rule = scope.end().rule();
		return (rule != null) ? rule.name() : "";
	}

	/** An absent text is an empty one, so that conditions can be written about it. */
	private static String textOf(@Nullable String text) {
		return (text != null) ? text : "";
	}

	static CelVariables ofLlmCalls() {
		CelVariables variables = new CelVariables();
		variables.struct(MESSAGE, Map.of("role", Variable.of(SimpleType.STRING, Scope::now), "text",
				Variable.of(SimpleType.STRING, Scope::now)));
		variables.value("model", SimpleType.STRING, (scope) -> scope.llmCall().model());
		variables.value("messages", ListType.create(StructTypeReference.create("@" + MESSAGE)), CelVariables::messages);
		variables.value("options", ANY_MAP, (scope) -> scope.llmCall().options());
		variables.value("tools", TEXTS, (scope) -> scope.llmCall().tools());
		return variables;
	}

	static CelVariables ofRuns() {
		CelVariables variables = new CelVariables();
		variables.value("prompt", SimpleType.STRING, (scope) -> scope.text(scope.run().prompt()));
		return variables;
	}

	private static Map<String, Variable> callFields() {
		Map<String, Variable> call = new LinkedHashMap<>();
		call.put("id", Variable.of(SimpleType.STRING, Scope::id));
		call.put("session", Variable.of(SimpleType.STRING, (scope) -> scope.context().sessionId()));
		call.put("run", Variable.of(SimpleType.STRING, (scope) -> scope.context().runId()));
		call.put("agent", Variable.of(SimpleType.STRING, (scope) -> scope.context().agent()));
		call.put("role", Variable.of(SimpleType.STRING, (scope) -> scope.context().role()));
		call.put("workspace", Variable.of(SimpleType.STRING, (scope) -> scope.context().workspace()));
		call.put("attempt", Variable.of(SimpleType.INT, (scope) -> scope.context().attempt()));
		call.put("attributes", Variable.of(ANY_MAP, (scope) -> scope.context().attributes()));
		return call;
	}

	private static Map<String, Variable> userFields() {
		Map<String, Variable> user = new LinkedHashMap<>();
		user.put("name", Variable.of(SimpleType.STRING, (scope) -> scope.context().user()));
		user.put("authorities", Variable.of(TEXTS, (scope) -> scope.context().authorities()));
		user.put("roles", Variable.of(TEXTS, (scope) -> Roles.of(scope.context().authorities())));
		user.put("isAnonymous", Variable.of(SimpleType.BOOL, (scope) -> scope.context().user() == null));
		user.put("claims", Variable.of(ANY_MAP, (scope) -> scope.context().claims()));
		return user;
	}

	private static ToolIdentity identity(Scope scope) {
		return scope.toolCall().identity();
	}

	private static void annotation(Map<String, Variable> annotations, String name,
			Function<ToolHints, @Nullable Boolean> hint) {
		annotations.put(name, Variable.of(SimpleType.BOOL, (scope) -> hint.apply(identity(scope).hints())));
	}

	private static List<Map<String, String>> messages(Scope scope) {
		return scope.llmCall()
			.messages()
			.stream()
			.map((message) -> Map.of("role", message.role().value(), "text", scope.text(message.text())))
			.toList();
	}

	private void value(String name, CelType type, Function<Scope, @Nullable Object> value) {
		this.variables.put(name, Variable.of(type, value));
	}

	private void group(String name, Map<String, Variable> fields) {
		this.variables.put(name, struct(name, fields));
	}

	private Variable struct(String name, Map<String, Variable> fields) {
		Map<String, Variable> known = new LinkedHashMap<>(fields);
		// A condition cannot name it, so there is nothing to take for one of its
		// variables.
		String type = "@" + name;
		this.types.put(type, StructType.create(type, ImmutableSet.copyOf(known.keySet()),
				(field) -> Optional.ofNullable(known.get(field)).map(Variable::type)));
		return new Variable(StructTypeReference.create(type), null, known);
	}

	Map<String, Variable> variables() {
		return this.variables;
	}

	String adviceFor(String before, String field) {
		String path = before.replaceFirst("(?s)^.*[^A-Za-z_.]", "");
		@Nullable Variable variable = null;
		for (String name : path.split("\\.", -1)) {
			variable = ((variable != null) ? variable.fields() : this.variables).get(name);
			if (variable == null) {
				break;
			}
		}
		if (variable == null || variable.fields().isEmpty()) {
			return ofThing(before, field);
		}
		String known = "'%s' has %s.".formatted(path, String.join(", ", variable.fields().keySet()));
		return (path.equals("user") && field.startsWith("role"))
				? known + " A role of Spring Security is asked for with hasRole('ADMIN')."
				: Spelling.didYouMean(field, variable.fields().keySet()) + known;
	}

	private static String ofThing(String before, String field) {
		Map<String, Map<String, CelType>> things = ThingTypes.fields();
		List<String> named = things.keySet()
			.stream()
			.filter((thing) -> before.stripTrailing()
				.matches("(?s).*\\b" + thing + "s?\\([^()]*(\\([^()]*\\)[^()]*)*\\)"))
			.toList();
		if (named.size() == 1) {
			Set<String> known = things.getOrDefault(named.get(0), Map.of()).keySet();
			return Spelling.didYouMean(field, known)
					+ "'%s(...)' has %s.".formatted(named.get(0), String.join(", ", known));
		}
		Set<String> all = things.values()
			.stream()
			.flatMap((fields) -> fields.keySet().stream())
			.collect(Collectors.toCollection(LinkedHashSet::new));
		return Spelling.didYouMean(field, all) + things.entrySet()
			.stream()
			.map((thing) -> "A %s has %s.".formatted(thing.getKey(), String.join(", ", thing.getValue().keySet())))
			.collect(Collectors.joining(" "));
	}

	String adviceForWhole(String types) {
		return this.types.values()
			.stream()
			.filter((type) -> types.contains(type.name()))
			.map((type) -> "Write one of the fields of '%s': %s.".formatted(type.name().substring(1),
					String.join(", ", type.fieldNames())))
			.findFirst()
			.orElse("Compare values of the same type.");
	}

	@Override
	public ImmutableCollection<CelType> types() {
		return ImmutableList.copyOf(this.types.values());
	}

	@Override
	public Optional<CelType> findType(String name) {
		return Optional.ofNullable(this.types.get(name));
	}

	/** {@code value} is {@code null} if only its fields can be named. */
	record Variable(CelType type, @Nullable Function<Scope, @Nullable Object> value, Map<String, Variable> fields) {

		static Variable of(CelType type, Function<Scope, @Nullable Object> value) {
			return new Variable(type, value, Map.of());
		}

	}

}
