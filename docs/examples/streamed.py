"""The same round trip, streamed: every engine chunk goes through derender with the state of the chunk before. Needs httpx.

    MODEL=demo RENDER=http://localhost:8100 ENGINE=http://localhost:8200 python streamed.py
"""

import json
import os

import httpx

MODEL = os.environ.get("MODEL", "demo")
RENDER = os.environ.get("RENDER", "http://localhost:8100")  # derender-server
ENGINE = os.environ.get("ENGINE", "http://localhost:8200")  # tokens-in / tokens-out engine

chat_request = {
    "model": MODEL,
    "messages": [{"role": "user", "content": "What is 2+2?"}],
    "max_tokens": 32,
    "stream": True,
    "stream_options": {"include_usage": True},
}

with httpx.Client(timeout=60.0) as client:
    # 1. Chat request -> token ids. `stream` and `stream_options` stay on the rendered request.
    rendered = client.post(f"{RENDER}/v1/chat/completions/render", json=chat_request)
    rendered.raise_for_status()
    generate_request = rendered.json()
    prompt_token_ids = generate_request["token_ids"]

    # 2. Token ids -> a stream of token ids.
    stream_state = None  # one per choice index when n > 1
    with client.stream("POST", f"{ENGINE}/inference/v1/generate", json=generate_request) as stream:
        for line in stream.iter_lines():
            if not line.startswith("data: ") or line == "data: [DONE]":
                continue

            # 3. One engine chunk -> one chat completion chunk.
            answer = client.post(
                f"{RENDER}/v1/chat/completions/derender",
                json={
                    "stream": True,
                    "model": MODEL,
                    "generate_chunk": json.loads(line.removeprefix("data: ")),
                    "stream_state": stream_state,
                    "prompt_tokens": len(prompt_token_ids),
                    "prompt_token_ids": prompt_token_ids,
                    "chat_request": chat_request,
                },
            )
            answer.raise_for_status()
            derendered = answer.json()
            stream_state = derendered["stream_state"]
            chunk = derendered["chunk"]
            for choice in chunk["choices"]:
                print(choice["delta"].get("content") or "", end="", flush=True)
            if chunk.get("usage"):
                print(f"\n{chunk['usage']}")
