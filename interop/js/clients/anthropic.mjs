import Anthropic from '@anthropic-ai/sdk';
import { key, messages, model } from './program.mjs';

const client = (base) => new Anthropic({ apiKey: key, baseURL: base, maxRetries: 0 });
const question = { model, messages, max_tokens: 100 };

export async function create({ base, say, signal }) {
  const stream = await client(base).messages.create({ ...question, stream: true }, { signal });
  for await (const event of stream) {
    if (event.type === 'content_block_delta') say(event.delta.text);
  }
}

export async function helper({ base, say, signal }) {
  const stream = client(base).messages.stream(question, { signal });
  stream.on('text', say);
  await stream.finalMessage();
}
