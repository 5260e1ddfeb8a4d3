"""One round trip: render, generate, derender. Needs httpx.

    MODEL=demo RENDER=http://localhost:8100 ENGINE=http://localhost:8200 python one_shot.py
"""

import os

import httpx

MODEL = os.environ.get("MODEL", "demo")
RENDER = os.environ.get("RENDER", "http://localhost:8100")  # derender-server
ENGINE = os.environ.get("ENGINE", "http://localhost:8200")  # tokens-in / tokens-out engine

chat_request = {
    "model": MODEL,
    "messages": [{"role": "user", "content": "What is 2+2?"}],
    "max_tokens": 32,
}

with httpx.Client(timeout=60.0) as client:
    # 1. Chat request -> token ids.
    rendered = client.post(f"{RENDER}/v1/chat/completions/render", json=chat_request)
    rendered.raise_for_status()
    generate_request = rendered.json()
    prompt_token_ids = generate_request["token_ids"]

    # 2. Token ids -> token ids. The engine gets the rendered request unchanged.
    generated = client.post(f"{ENGINE}/inference/v1/generate", json=generate_request)
    generated.raise_for_status()

    # 3. Token ids -> chat completion.
    derendered = client.post(
        f"{RENDER}/v1/chat/completions/derender",
        json={
            "model": MODEL,
            "generate_response": generated.json(),
            "prompt_tokens": len(prompt_token_ids),
            "prompt_token_ids": prompt_token_ids,
            "chat_request": chat_request,
        },
    )
    derendered.raise_for_status()

print(derendered.json()["choices"][0]["message"]["content"])
