package io.agenthooks.spring.webhook;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.handler.DefaultTracingObservationHandler;
import io.micrometer.tracing.handler.PropagatingSenderTracingObservationHandler;
import io.micrometer.tracing.otel.bridge.OtelCurrentTraceContext;
import io.micrometer.tracing.otel.bridge.OtelPropagator;
import io.micrometer.tracing.otel.bridge.OtelTracer;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.webclient.autoconfigure.WebClientAutoConfiguration;
import org.springframework.boot.webclient.autoconfigure.WebClientObservationAutoConfiguration;
import org.springframework.context.ApplicationContext;

import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;
import io.agenthooks.spring.observation.HooksObservationAutoConfiguration;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Webhooks belong to the trace of the call that they are asked about: with OpenTelemetry
 * and a real server.
 */
@Timeout(60)
class TracedWebhookTests {

	private final Spans spans = new Spans();

	private final ObservationRegistry registry = tracing(this.spans);

	private static ObservationRegistry tracing(SpanExporter exporter) {
		Tracer tracer = SdkTracerProvider.builder()
			.addSpanProcessor(SimpleSpanProcessor.create(exporter))
			.build()
			.get("test");
		OtelTracer bridged = new OtelTracer(tracer, new OtelCurrentTraceContext(), (event) -> {
		});
		OtelPropagator propagator = new OtelPropagator(
				ContextPropagators.create(W3CTraceContextPropagator.getInstance()), tracer);
		ObservationRegistry registry = ObservationRegistry.create();
		registry.observationConfig()
			.observationHandler(new ObservationHandler.FirstMatchingCompositeObservationHandler(
					new PropagatingSenderTracingObservationHandler<>(bridged, propagator),
					new DefaultTracingObservationHandler(bridged)));
		return registry;
	}

	private void run(FaultyServer server, Consumer<ApplicationContext> test, String... properties) {
		new ApplicationContextRunner()
			.withConfiguration(
					HookTypes.with(ToolCallHooksAutoConfiguration.class, HooksObservationAutoConfiguration.class,
							WebClientAutoConfiguration.class, WebClientObservationAutoConfiguration.class))
			.withBean(ObservationRegistry.class, () -> this.registry)
			.withBean("tools", ToolExecutor.class, () -> (call) -> ToolResult.success("done"))
			.withPropertyValues("hooks.tool-call.pre-call[0].type=webhook", "hooks.tool-call.pre-call[0].name=guard",
					"hooks.tool-call.pre-call[0].config.url=" + server.url())
			.withPropertyValues(properties)
			.run((context) -> {
				assertThat(context).hasNotFailed();
				test.accept(context);
			});
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"verdict\":\"approve\"}", "{\"verdict\":\"deny\",\"reason\":\"no\"}" })
	void questionBearsTheTraceOfTheCall(String answer) throws Exception {
		try (FaultyServer server = new FaultyServer(FaultyServer.json(answer))) {
			run(server, (context) -> context.getBean(ToolExecutor.class).execute(ToolCall.of("read", Map.of())));
			String[] traceparent = Objects.requireNonNull(server.take().headers().get("traceparent")).split("-", -1);
			SpanData call = this.spans.named("tool_call read", "tool_call unknown");
			SpanData hook = this.spans.named("hook guard");
			SpanData request = this.spans.ofId(traceparent[2]);
			assertThat(traceparent[1]).isEqualTo(call.getTraceId());
			assertThat(request.getParentSpanId()).isEqualTo(hook.getSpanId());
			assertThat(hook.getParentSpanId()).isEqualTo(call.getSpanId());
			boolean denied = answer.contains("deny");
			assertThat(call.getStatus().getStatusCode() == StatusCode.ERROR).isEqualTo(denied);
			assertThat(call.getAttributes().asMap().toString())
				.contains("hooks.verdict=" + ((denied) ? "deny" : "approve"))
				.contains("hooks.decided_by=" + ((denied) ? "guard" : "none"));
		}
	}

	@Test
	void notificationBearsTheTraceOfTheCallThoughItIsSentLater() throws Exception {
		try (FaultyServer server = new FaultyServer(FaultyServer.APPROVE)) {
			run(server, (context) -> {
				Observation agent = Observation.start("agent", this.registry);
				agent.scoped(() -> context.getBean(ToolExecutor.class).execute(ToolCall.of("read", Map.of())));
				agent.stop();
				try {
					String question = server.take().headers().get("traceparent");
					String notification = server.take().headers().get("traceparent");
					String trace = this.spans.named("agent").getTraceId();
					assertThat(question).contains(trace);
					assertThat(notification).contains(trace).isNotEqualTo(question);
				}
				catch (InterruptedException ex) {
					throw new IllegalStateException(ex);
				}
			}, "hooks.tool-call.post-call[0].type=webhook", "hooks.tool-call.post-call[0].name=told",
					"hooks.tool-call.post-call[0].config.url=" + server.url());
		}
	}

	/**
	 * Keeps spans.
	 */
	private static final class Spans implements SpanExporter {

		private final List<SpanData> spans = Collections.synchronizedList(new ArrayList<>());

		@Override
		public CompletableResultCode export(Collection<SpanData> spans) {
			this.spans.addAll(spans);
			return CompletableResultCode.ofSuccess();
		}

		@Override
		public CompletableResultCode flush() {
			return CompletableResultCode.ofSuccess();
		}

		@Override
		public CompletableResultCode shutdown() {
			return CompletableResultCode.ofSuccess();
		}

		SpanData named(String... names) {
			return List.copyOf(this.spans)
				.stream()
				.filter((span) -> List.of(names).contains(span.getName()))
				.findFirst()
				.orElseThrow();
		}

		SpanData ofId(String id) {
			return List.copyOf(this.spans)
				.stream()
				.filter((span) -> span.getSpanId().equals(id))
				.findFirst()
				.orElseThrow();
		}

	}

}
