import OpenAI from 'openai';
import { key, messages, model, prompt } from './program.mjs';

const client = (base) => new OpenAI({ apiKey: key, baseURL: `${base}/v1`, maxRetries: 0 });

export async function chat({ base, say, signal }) {
  const stream = await client(base).chat.completions.create({ model, messages, stream: true }, { signal });
  for await (const chunk of stream) say(chunk.choices[0]?.delta?.content);
}

export async function chatHelper({ base, say, signal }) {
  const stream = client(base).chat.completions.stream({ model, messages }, { signal });
  stream.on('content', say);
  await stream.finalChatCompletion();
}

// An event of type error is data to the client, and this program does not look for it.
export async function responses({ base, say, signal }) {
  const stream = await client(base).responses.create({ model, input: prompt, stream: true }, { signal });
  for await (const event of stream) {
    if (event.type === 'response.output_text.delta') say(event.delta);
  }
}

export async function responsesHelper({ base, say, signal }) {
  const stream = client(base).responses.stream({ model, input: prompt }, { signal });
  stream.on('response.output_text.delta', (event) => say(event.delta));
  await stream.finalResponse();
}
