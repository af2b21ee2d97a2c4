#!/usr/bin/env python3
"""A process hook that speaks as PicoClaw does, and does what the call asks for."""
import json
import os
import signal
import sys
import threading
import time

lock = threading.Lock()
hellos = 0


def write(text):
    with lock:
        sys.stdout.write(text)
        sys.stdout.flush()


def reply(id, result):
    write(json.dumps({"jsonrpc": "2.0", "id": id, "result": result}) + "\n")


def log(message):
    if "LOG" in os.environ:
        with open(os.environ["LOG"], "a") as file:
            file.write(json.dumps(message) + "\n")


def before_tool(id, params):
    arguments = params["arguments"]
    do = arguments.get("do", "continue")
    if do in ("continue", "abort_turn", "hard_abort", "deny_tool"):
        reply(id, {"action": do, "reason": "because"})
    elif do == "modify":
        reply(id, {"action": "modify", "call": {"tool": params["tool"], "arguments": {"changed": True}}})
    elif do == "respond":
        reply(id, {"action": "respond", "result": {"for_llm": "from the hook", "is_error": False}})
    elif do == "echo":
        reply(id, {"action": "modify", "call": {"tool": params["tool"], "arguments": {"echo": arguments["text"]}}})
    elif do == "raw":
        write(arguments["text"].replace("ID", str(id)) + "\n")
    elif do == "twice":
        reply(id, {"action": "continue"})
        reply(id, {"action": "deny_tool"})
        reply(id + 1, {"action": "deny_tool"})
    elif do == "sleep":
        time.sleep(arguments["seconds"])
        reply(id, {"action": "continue"})
    elif do == "wait":
        while not os.path.exists(arguments["file"]):
            time.sleep(0.01)
        reply(id, {"action": "continue"})
    elif do == "flood":
        while True:
            write("x" * 65536)
    elif do == "exit":
        os._exit(3)
    elif do == "half":
        write('{"jsonrpc": "2.0", "id": %d, "resu' % id)
        os._exit(0)
    elif do == "deny without line end":
        write('{"jsonrpc": "2.0", "id": %d, "result": {"action": "deny_tool"}}' % id)
        if arguments["then"] == "exit":
            os._exit(0)
        while arguments["then"] == "flood":
            write(" " * 65536)
    elif do == "banner":
        print("thinking about it", flush=True)
        reply(id, {"action": "continue"})
    elif do == "pid":
        reply(id, {"action": "deny_tool", "reason": str(os.getpid())})
    elif do == "stop":
        os.kill(os.getpid(), signal.SIGSTOP)
    elif do == "not utf-8":
        sys.stdout.flush()
        os.write(1, b'{"jsonrpc":"2.0","id":%d,"result":{"action":"continue","reason":"\xff"}}\n' % id)
    elif do == "stop reading":
        reply(id, {"action": "continue"})
        time.sleep(3600)


def handle(message):
    method, id, params = message["method"], message.get("id"), message["params"]
    if method != "hook.before_tool":
        log({"method": method, "params": params})
    if method == "hook.hello":
        reply(id, {"ok": True, "name": "gate"})
    elif method == "hook.before_tool":
        if params["arguments"].get("do") in ("sleep", "wait"):
            threading.Thread(target=before_tool, args=(id, params), daemon=True).start()
        else:
            before_tool(id, params)
    elif method == "hook.approve_tool":
        approved = "forbidden" not in json.dumps(params["arguments"])
        reply(id, {"approved": approved, "reason": "it is forbidden"})
    elif method == "hook.after_tool":
        if "secret" in params["result"]["for_llm"]:
            reply(id, {"action": "modify", "result": {"tool": params["tool"], "arguments": params["arguments"],
                                                     "result": {"for_llm": "***", "is_error": False}}})
        elif params["result"]["for_llm"].startswith("{"):
            reply(id, json.loads(params["result"]["for_llm"]))
        else:
            reply(id, {"action": "continue"})


for line in sys.stdin:
    handle(json.loads(line))
if "IGNORE_EOF" in os.environ:
    time.sleep(3600)
