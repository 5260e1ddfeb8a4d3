import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { loadModel } from '../../../src/model/load-model.ts';
import { createHarmonyEncoder } from '../../../src/render/encoders/harmony/harmony.ts';
import { createTokenizer } from '../../../src/tokenizer/create-tokenizer.ts';
import { encodeRecorded, type RecordedChat, recordedFixture } from './recorded-chats.ts';

const MODEL = fileURLToPath(new URL('../../../fixtures/models/gptoss_harmony', import.meta.url));

describe.runIf(existsSync(MODEL))('harmony with the tokenizer of gpt-oss', () => {
  it('gives the token ids that the Harmony library gives', async () => {
    const { tokenizer: files } = await loadModel({ model: MODEL });
    const encoder = createHarmonyEncoder(await createTokenizer(files), () => new Date(2026, 2, 4));
    const chats = recordedFixture<RecordedChat>('harmony').filter(({ error }) => error === undefined);
    expect(chats.length).toBeGreaterThan(250);
    for (const chat of chats) expect([chat.id, await encodeRecorded(encoder, chat)]).toEqual([chat.id, { tokenIds: chat.tokenIds }]);
  });
});
