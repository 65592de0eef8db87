import { Ollama } from 'ollama';
import { messages, model } from './program.mjs';

export async function chat({ base, say }) {
  const stream = await new Ollama({ host: base }).chat({ model, messages, stream: true });
  for await (const part of stream) say(part.message?.content);
}
