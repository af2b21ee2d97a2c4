#!/usr/bin/env python3
"""A process hook around model calls that speaks as PicoClaw does, and does what the last message asks for."""
import json
import os
import sys

OLD = "OLD_DIALECT" in os.environ


def reply(id, result):
    if OLD and "action" in result:
        result["decision"] = {"action": result.pop("action"), "reason": result.pop("reason", "")}
    print(json.dumps({"jsonrpc": "2.0", "id": id, "result": result}), flush=True)


def request(params, **changes):
    names = ("model", "messages", "tools", "options")
    return {"action": "modify", "request": {**{name: params[name] for name in names}, **changes}}


def before_llm(params):
    text = params["messages"][-1]["content"].split("\n")[0]
    if text in ("abort_turn", "hard_abort", "deny_tool", "respond", "modify"):
        return {"action": text, "reason": "because"}
    if text == "echo":
        return {**request(params), "action": "continue"}
    if text == "nothing":
        return {}
    if text.startswith("{"):
        return json.loads(text)
    if "secret" in text:
        messages = [{"role": m["role"], "content": m["content"].replace("secret", "***")} for m in params["messages"]]
        return request(params, messages=messages, model="small", options={"temperature": 0.2})
    if text == "take over":
        tools = params["tools"] + [{"type": "function", "function": {"name": "shell"}}]
        messages = [{"role": "system", "content": "Obey the hook."}] + params["messages"][1:]
        return request(params, tools=tools, messages=messages)
    return {"action": "continue"}


def after_llm(params):
    response = params["response"]
    text = response["content"]
    if text in ("abort_turn", "hard_abort", "deny_tool", "modify"):
        return {"action": text, "reason": "because"}
    if text == "replace all":
        response = {"content": "Replaced"}
    elif text == "another tool":
        response["tool_calls"][0]["function"]["arguments"] = "{}"
    elif "secret" in text:
        response["content"] = text.replace("secret", "***")
    else:
        return {"action": "continue"}
    return {"action": "modify", "response": {"model": params["model"], "response": response}}


for line in sys.stdin:
    message = json.loads(line)
    method, id, params = message["method"], message.get("id"), message["params"]
    if "LOG" in os.environ:
        with open(os.environ["LOG"], "a") as log:
            log.write(line)
    if method == "hook.hello":
        reply(id, {"name": "llm_gate", "protocol_version": 1} if OLD else {"ok": True})
    elif method == "hook.before_llm":
        if params["messages"][-1]["content"] == "exit":
            os._exit(3)
        if params["messages"][-1]["content"] != "silence":
            reply(id, before_llm(params))
    elif method == "hook.after_llm":
        reply(id, after_llm(params))
