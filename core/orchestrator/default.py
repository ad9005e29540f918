# The step loop, version 0. It decides; it never does: every effect is a host call, and messages stay with the host.
# Inputs: state (the checkpoint to go on from), config. Host calls: llm_complete, execute_actions, execute_code, compact.
# Functions stand before their callers: the interpreter takes a later one for a host call.
# It must stay deterministic: after a crash it runs again from the checkpoint and is fed the recorded answers.

INTENT_PREFIXES = ["let me ", "i'll ", "i will ", "i'm going to "]
INTENT_VERBS = [
    "search", "look up", "look into", "check", "fetch", "find", "read the", "list the", "open the", "count the",
    "query", "retrieve", "run the", "execute", "calculate", "write the", "create", "update the", "delete", "remove the",
]
NOT_INTENT = [
    "let me explain", "let me know", "let me think", "let me summarize", "let me clarify", "let me describe",
    "let me help", "let me understand", "let me break", "let me outline", "let me walk you", "let me provide",
    "let me suggest", "let me elaborate", "let me start by",
]
COMMAND_VERBS = ["run", "execute", "ship", "deploy", "send", "fetch", "stop", "pause", "cancel", "halt", "disable"]
CUT = "the answer was cut off at the model's output limit"
LAST_NOTE = "You have no turns left and can call nothing more. Answer now from what you have, and say what is missing."
COMMAND_OBJECTS = [" it", " that", " this", " them", " the "]


def unquoted(text):
    """The prose of a text: without fenced blocks, indented lines and double-quoted spans."""
    lines = []
    fenced = False
    for line in text.split("\n"):
        if line.strip().startswith("```"):
            fenced = not fenced
        elif not fenced and not line.startswith("    ") and not line.startswith("\t"):
            lines.append(line)
    parts = "\n".join(lines).split('"')
    return " ".join(parts[0::2])


def says_it_will_act(text):
    prose = unquoted(text).lower().replace("’", "'")
    for phrase in NOT_INTENT:
        if phrase in prose:
            return False
    for line in prose.split("\n"):
        for prefix in INTENT_PREFIXES:
            at = line.find(prefix)
            if at >= 0:
                rest = " " + line[at + len(prefix):]
                for verb in INTENT_VERBS:
                    if " " + verb in rest:
                        return True
    return False


def reads_as_command(text):
    """The user told it to do something, so an answer without any action is not one yet."""
    prose = " " + unquoted(text).lower().replace("\n", " ") + " "
    for verb in COMMAND_VERBS:
        if " please " + verb + " " in prose:
            return True
        for what in COMMAND_OBJECTS:
            if " " + verb + what in prose:
                return True
    return False


def quoted(text, quote):
    """What stands before the closing quote; None when it does not close. A quote after an odd run of backslashes is text."""
    pieces = text.split(quote)
    content = []
    for piece in pieces[:-1]:
        content.append(piece)
        if (len(piece) - len(piece.rstrip("\\"))) % 2 == 0:
            return quote.join(content)
    return None


def bracketed(text):
    """What stands before the bracket that closes the one before the text; None when it does not close."""
    depth = 1
    length = 0
    for character in text:
        if character == "(":
            depth += 1
        elif character == ")":
            depth -= 1
            if depth == 0:
                return text[:length]
        length += 1
    return None


def unescaped(text, quote):
    parts = text.split("\\\\")
    return "\\".join([part.replace("\\n", "\n").replace("\\" + quote, quote) for part in parts])


def final_argument(text):
    for quote in ['"""', "'''", '"', "'"]:
        if text.startswith(quote):
            content = quoted(text[len(quote):], quote)
            return None if content is None else unescaped(content, quote[0])
    content = bracketed(text)
    return None if content is None else content.strip()


def final_of(text):
    """The argument of a FINAL(...) call that stands at the start of a line; None in prose, fences or when unclosed."""
    if "FINAL(" not in text:
        return None
    fenced = False
    offset = 0
    for line in text.split("\n"):
        if line.strip().startswith("```"):
            fenced = not fenced
        elif not fenced and line.lstrip().startswith("FINAL("):
            return final_argument(text[offset + line.find("FINAL(") + 6:])
        offset += len(line) + 1
    return None


def repeat_note(repeat):
    return (
        "You called " + repeat["name"] + " with the same arguments " + str(repeat["count"]) + " times and got the same "
        "result each time. Use what you have, try something else, or say what keeps you from going on."
    )


def run():
    step = state["step"]
    nudges = state["nudges"]
    obligations = state["obligations"]
    acted = state["acted"]
    action_errors = state["action_errors"]
    code_errors = state["code_errors"]
    notes = state["notes"]
    compacted = -1
    while step < config["max_steps"]:
        checkpoint = {
            "step": step, "nudges": nudges, "obligations": obligations, "acted": acted,
            "action_errors": action_errors, "code_errors": code_errors, "notes": notes,
        }
        reply = llm_complete(checkpoint)
        kind = reply["type"]
        overflown = kind == "error" and reply["code"] == "model.overflow"
        if (kind == "full" or overflown) and compacted != step:
            compacted = step
            problem = compact(checkpoint, "overflow" if overflown else "threshold")
            if problem is not None:
                return {"outcome": "budget" if problem["code"] == "budget.stopped" else "failed", "reason": problem["reason"], "code": problem["code"]}
            continue
        notes = []
        step += 1
        if kind == "budget":
            return {"outcome": "budget", "reason": reply["reason"], "code": "budget.stopped"}
        if kind == "error":
            return {"outcome": "failed", "reason": reply["reason"], "code": reply["code"]}
        if kind == "text":
            final = final_of(reply["text"])
            if reply["said"] > 0:
                nudges = 0
                obligations = 0
                acted = False
            elif final is not None:
                return {"outcome": "answered", "response": final}
            elif reply["cut"] and config["is_run"]:
                return {"outcome": "answered", "reason": CUT}
            elif config["has_actions"] and nudges < config["max_nudges"] and says_it_will_act(reply["text"]):
                nudges += 1
                notes = ["You said what you would do, but called no action. Call it now, or answer."]
            elif (
                config["has_actions"] and not acted and nudges == 0 and obligations < config["max_obligations"]
                and reads_as_command(reply["asked"])
            ):
                obligations += 1
                notes = ["You were asked to do something and called no action. Call the action now, or say plainly why it cannot be done."]
            elif reply["cut"]:
                return {"outcome": "answered", "reason": CUT}
            else:
                return {"outcome": "answered"}
            continue
        nudges = 0
        acted = True
        repeat = None
        if reply["cut"] and config["is_run"]:
            return {"outcome": "answered", "reason": CUT}
        if kind == "code":
            result = execute_code()
            repeat = result["repeat"]
            if result["final"] is not None:
                return {"outcome": "answered", "response": result["final"]}
            code_errors = 0 if result["ok"] else code_errors + 1
            if code_errors >= config["max_code_errors"]:
                return {"outcome": "failed", "reason": str(code_errors) + " code steps in a row failed", "code": "code.failed"}
        else:
            if len(reply["calls"]) > 0:
                result = execute_actions(reply["calls"])
                repeat = result["repeat"]
                action_errors = 0 if result["ok"] > 0 else action_errors + 1
            if reply["final"] is not None:
                return {"outcome": "answered", "response": reply["final"]}
            if action_errors >= config["max_action_errors"]:
                reason = str(action_errors) + " steps in a row in which every action failed"
                return {"outcome": "failed", "reason": reason, "code": "action.failed"}
            if action_errors >= config["nudge_action_errors"]:
                notes = ["Every action failed in the last " + str(action_errors) + " steps. Change your approach, or say honestly what could not be done."]
        if repeat is not None and repeat["count"] >= config["max_repeats"]:
            reason = repeat["name"] + " was called " + str(repeat["count"]) + " times with the same arguments and the same result"
            return {"outcome": "failed", "reason": reason, "code": "action.repeated"}
        if repeat is not None and repeat["count"] >= config["nudge_repeats"]:
            notes.append(repeat_note(repeat))
    ended = {"outcome": "maxSteps", "reason": "the limit of " + str(config["max_steps"]) + " steps was reached"}
    if config["is_run"]:
        # One more call, without actions: what was found so far is worth an answer.
        last = {"step": step, "acted": acted, "notes": [LAST_NOTE], "last": True}
        reply = llm_complete(last)
        if reply["type"] == "full":
            problem = compact(last, "threshold")
            if problem is not None:
                return {"outcome": "failed", "reason": problem["reason"], "code": problem["code"]}
            reply = llm_complete(last)
        if reply["type"] == "text":
            final = final_of(reply["text"])
            ended["response"] = reply["text"] if final is None else final
        elif reply["type"] == "error":
            return {"outcome": "failed", "reason": reply["reason"], "code": reply["code"]}
    return ended


run()
