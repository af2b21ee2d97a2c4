// Hooks for BeforeModel and AfterModel, as they are written for Gemini CLI.
const data = JSON.parse(require("fs").readFileSync(0, "utf8"));

function reply(output) {
  console.log(JSON.stringify(output));
}

if (data.hook_event_name === "BeforeModel") {
  const { model, messages, config } = data.llm_request;
  const last = messages[messages.length - 1].content;
  if (last.includes("api key")) {
    reply({ decision: "deny", reason: "No secrets for models" });
  } else if (last.includes("weather")) {
    reply({
      hookSpecificOutput: {
        hookEventName: "BeforeModel",
        llm_response: { candidates: [{ content: { role: "model", parts: ["Sun", "ny"] }, finishReason: "STOP" }] },
      },
    });
  } else if (last.includes("@")) {
    reply({
      decision: "allow",
      hookSpecificOutput: {
        hookEventName: "BeforeModel",
        llm_request: {
          model: model + "-mini",
          messages: messages.map(({ role, content }) => ({ role, content: content.replace(/\S+@\S+/g, "***") })),
          config: { ...config, temperature: 0 },
        },
      },
    });
  } else if (last === "stop") {
    reply({ continue: false, stopReason: "Enough for today" });
  } else if (last === "exit") {
    console.error("Blocked by policy");
    process.exit(2);
  } else {
    reply({});
  }
} else if (data.hook_event_name === "AfterModel") {
  const response = data.llm_response;
  const text = response.candidates[0].content.parts.join("");
  if (text.includes("secret")) {
    response.candidates[0].content.parts = [text.replace("secret", "***")];
    reply({ hookSpecificOutput: { hookEventName: "AfterModel", llm_response: response } });
  } else if (text.includes("poison")) {
    reply({ decision: "deny", reason: "Not for people" });
  } else {
    reply({ decision: "allow" });
  }
} else {
  process.exit(1);
}
