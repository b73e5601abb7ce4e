"""The rules that the LiveChess interface keeps, checked with the WebSocket library of Python.

    rules.py PORT SERIAL [SERIAL]
"""

import asyncio
import json
import socket
import sys
import urllib.error
import urllib.request

import websockets

PORT = int(sys.argv[1])
SERIALS = sys.argv[2:]
URL = f"ws://127.0.0.1:{PORT}/api/v1.0"
passed = 0
# How long an answer may take, seconds: it only ends what hangs.
PATIENCE = 120
# A machine that has other work keeps a connection for as long.
PATIENT = {"open_timeout": PATIENCE, "ping_interval": None}


def right(condition, what, seen=None):
    global passed
    if not condition:
        sys.exit(f"wrong: {what}: {seen!r}")
    passed += 1


async def receive(ws):
    return json.loads(await asyncio.wait_for(ws.recv(), PATIENCE))


async def ask(ws, call):
    await ws.send(json.dumps(call))
    while (message := await receive(ws))["response"] == "feed":
        pass
    return message


def subscribe(id, feed, serial, kind="eboardevent"):
    return {"call": "subscribe", "id": id, "param": {"feed": kind, "id": feed, "param": {"serialnr": serial}}}


async def sockets():
    async with websockets.connect(URL, **PATIENT) as ws:
        headers = {name.lower() for name, _ in ws.response.headers.raw_items()}
        right(headers == {"connection", "upgrade", "sec-websocket-accept", "date"}, "headers of the 101", headers)
        right(ws.protocol.extensions == [], "no extension, although one was offered")
        await ws.send('{"id":1,"call":"eboards"}')
        text = await ws.recv()
        right(text.startswith('{"response":"call","id":1,"param":[{"serialnr":"'), "compact, keys in order", text)
        right(json.loads(text)["param"][0]["state"] == "ACTIVE", "a board that is there comes first")
        for param in (None, {}, [], "x", 7):
            right((await ask(ws, {"id": 0, "call": "eboards", "param": param}))["response"] == "call", "any param", param)
        for id in (0, 1, -1, 2**40, "7", 1.5):
            seen = (await ask(ws, {"call": "sources", "id": id}))["id"]
            right(seen == id and type(seen) is type(id), "ids come back as they are", seen)
        for number, serial in enumerate(SERIALS):
            await ws.send(json.dumps(subscribe(1, number, serial)))
            while (answer := await receive(ws))["response"] == "feed":
                pass
            right(answer["param"] is None and answer["id"] == 1, "the answer first", answer)
            first = await receive(ws)
            right((first["response"], first["id"]) == ("feed", number), "then all that is known", first)
            right(set(first["param"]) == {"serialnr", "flipped", "board", "clock"}, "keys before setup", first)
        for wrong in (
            {"call": "nothing", "id": 5},
            {"call": "subscribe", "id": 5},
            subscribe(5, 9, "nobody"),
            subscribe(5, 9, SERIALS[0], "liveviewer"),
            {"call": "subscribe", "id": 5, "param": {"feed": SERIALS[0]}},
            {"call": "unsubscribe", "id": 5, "param": {"id": 99}},
            {"call": "call", "id": 5, "param": {"id": 0, "method": "run", "param": {}}},
            {"call": "call", "id": 5, "param": {"id": 0, "method": "setup", "param": {"flip": True}}},
            {"call": "call", "id": 5, "param": {"id": 0, "method": "flip", "param": {"fen": True}}},
            {"call": "call", "id": 5, "param": {"id": 0, "method": "setup", "param": {"fen": "8/8 w"}}},
            {"call": "call", "id": 5, "param": {"id": 99, "method": "flip", "param": {"flip": True}}},
        ):
            answer = await ask(ws, wrong)
            right((answer["response"], answer["id"]) == ("error", 5), "an error, and the socket stays open", answer)
            right(set(answer["param"]) == {"message", "stacktrace"}, "both texts", answer)
            right(all(type(text) is str and text for text in answer["param"].values()), "both are texts", answer)
        for garbage in ("", "{", "[1,2]", "null", "\x00\x01", "{" * 90000, b"\x00\xff"):
            await ws.send(garbage)
            while (answer := await receive(ws))["response"] == "feed":
                pass
            right((answer["response"], answer["id"]) == ("error", 0), "garbage is answered", answer)
        fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
        answer = await ask(ws, {"call": "call", "id": 6, "param": {"id": 0, "method": "setup", "param": {"fen": fen}}})
        right(answer["param"] is None, "setup", answer)
        while "san" not in (news := (await receive(ws))["param"]):
            pass
        right(set(news) >= {"board", "start", "san", "match"} and news["start"] == fen, "keys after setup", news)
        right((await ask(ws, {"call": "unsubscribe", "id": 7, "param": {"id": 0}}))["param"] is None, "unsubscribe")
    for path in ("/api/v1.0/", "/api/v1.0?x=1", f"/api/v1.0?serialnr={SERIALS[0]}"):
        async with websockets.connect(f"ws://localhost:{PORT}{path}", **PATIENT) as ws:
            boards = (await ask(ws, {"call": "eboards", "id": 1}))["param"]
            right(len(boards) == (1 if "serialnr" in path else len(SERIALS)), "boards by address", boards)
    many = [await websockets.connect(URL, **PATIENT) for _ in range(40)]
    for ws in many:
        await ws.send(json.dumps(subscribe(1, 1, SERIALS[0])))
    right(all([(await receive(ws))["response"] == "call" for ws in many]), "forty programs at once")
    for ws in many:
        await ws.close()
    for origin, status in (("https://lichess.org", 101), ("https://www.chess.com", 101), ("https://evil.example", 403),
                           ("http://localhost:3000", 403), ("null", 403)):
        try:
            async with websockets.connect(URL, origin=origin, **PATIENT):
                seen = 101
        except websockets.exceptions.InvalidStatus as refused:
            seen = refused.response.status_code
            right(b"23946" not in (refused.response.body or b""), "a page that is kept out learns nothing")
        right(seen == status, origin, seen)


def get(path, **headers):
    request = urllib.request.Request(f"http://127.0.0.1:{PORT}{path}", headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return answer.status, answer.headers, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read().decode()


def plain():
    status, headers, body = get("/api/v1.0/eboards", Origin="https://lichess.org")
    right(status == 200 and len(json.loads(body)) == len(SERIALS), "boards by plain request", body)
    right(headers["Access-Control-Allow-Origin"] == "https://lichess.org", "pages of the list may read it")
    right(type(json.loads(get("/api/v1.0/sources")[2])) is list, "sources by plain request")
    right(get("/api/v1.0/eboards", Origin="https://evil.example")[0] == 403, "other pages may not")
    right(get("/api/v1.0/eboards", Host="evil.example")[0] == 421, "a name that points here by a trick")
    for path in ("/doc/index.html", "/doc/api/feeds/eboardevent/index.html"):
        right(get(path)[0] == 200, path)
    right(get("/api/v1.0")[0] == 426 and get("/nothing")[0] == 404, "no other answers")
    for garbage in (b"\x00" * 100, b"GET / HTTP/9.9\r\n\r\n", b"\x16\x03\x01\x02\x00\x01"):
        with socket.create_connection(("127.0.0.1", PORT), 20) as connection:
            connection.sendall(garbage)
            connection.shutdown(socket.SHUT_WR)
            while connection.recv(4096):
                pass
    right(get("/doc/index.html")[0] == 200, "it has survived garbage")


asyncio.run(sockets())
plain()
print(f"{passed} passed")
