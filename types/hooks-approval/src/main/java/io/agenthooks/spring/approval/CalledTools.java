package io.agenthooks.spring.approval;

import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.arguments.ToolSchema;
import io.agenthooks.spring.origin.OfferedSchemas;
import io.agenthooks.spring.suspend.ApprovalRefusedException;
import io.agenthooks.spring.suspend.ApprovalRefusedException.Reason;
import io.agenthooks.spring.suspend.ResumableTools;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolExecutor;

record CalledTools(Supplier<Stream<ResumableTools>> tools, Supplier<Stream<ToolExecutor>> executors,
		OfferedSchemas offered) {

	/**
	 * Find the tool of a call: of the framework that kept the turn, if that one is here.
	 * The format is empty if no framework has kept it.
	 */
	ToolExecutor find(ToolCall call, ResumableTools first, String format) {
		ToolExecutor given = first.find(call);
		if (given != null) {
			return given;
		}
		List<ToolExecutor> found = findAll(call, format);
		if (found.isEmpty()) {
			throw new ApprovalRefusedException(Reason.NO_TOOL, "The tool of the call is not known here.", List.of());
		}
		if (found.size() > 1) {
			throw ApprovalRefusedException.severalTools();
		}
		return found.get(0);
	}

	/**
	 * If several tools could be the one, all have to refuse the call; {@code null} if one
	 * accepts it, or may.
	 */
	@Nullable String objection(ToolCall call, String format) {
		if (mayBeOffered(call)) {
			return null;
		}
		String objection = null;
		for (ToolExecutor tool : findAll(call, format)) {
			objection = tool.objection(call);
			if (objection == null) {
				return null;
			}
		}
		return objection;
	}

	/**
	 * The application gives a tool of a single request again when it resumes the call.
	 */
	private boolean mayBeOffered(ToolCall call) {
		if (!this.offered.isKnown(call.tool())) {
			return false;
		}
		Set<String> schemas = this.offered.of(call.tool());
		return schemas.isEmpty()
				|| schemas.stream().anyMatch((schema) -> ToolSchema.of(schema).objection(call.arguments()) == null);
	}

	private List<ToolExecutor> findAll(ToolCall call, String format) {
		List<ToolExecutor> found = toolsOf(format).map((tools) -> tools.find(call))
			.filter(Objects::nonNull)
			.map(Objects::requireNonNull)
			.toList();
		return (found.isEmpty() && call.identity().isOfApplication()
				&& !isOfFramework(this.tools.get().toList(), format)) ? findExecutors(call.tool()) : found;
	}

	private Stream<ResumableTools> toolsOf(String format) {
		List<ResumableTools> all = this.tools.get().toList();
		return (isOfFramework(all, format))
				? all.stream().filter((tools) -> tools.format().isEmpty() || tools.format().equals(format))
				: all.stream();
	}

	private static boolean isOfFramework(List<ResumableTools> all, String format) {
		return !format.isEmpty() && all.stream().anyMatch((tools) -> tools.format().equals(format));
	}

	private List<ToolExecutor> findExecutors(String tool) {
		List<ToolExecutor> all = this.executors.get().toList();
		List<ToolExecutor> known = all.stream().filter((executor) -> executor.toolNames().contains(tool)).toList();
		return (known.isEmpty() && all.size() == 1 && all.get(0).toolNames().isEmpty()) ? all : known;
	}

}
