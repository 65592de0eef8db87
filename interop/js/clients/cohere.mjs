import { CohereClientV2 } from 'cohere-ai';
import { key, messages, model } from './program.mjs';

export async function chat({ base, say, signal }) {
  const client = new CohereClientV2({ token: key, environment: base });
  const stream = await client.chatStream({ model, messages }, { maxRetries: 0, abortSignal: signal });
  for await (const event of stream) {
    if (event.type === 'content-delta') say(event.delta?.message?.content?.text);
  }
}
