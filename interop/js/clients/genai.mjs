import { GoogleGenAI } from '@google/genai';
import { key, model, prompt } from './program.mjs';

export async function generate({ base, say, signal }) {
  const client = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: base } });
  const stream = await client.models.generateContentStream({ model, contents: prompt, config: { abortSignal: signal } });
  for await (const chunk of stream) say(chunk.text);
}
