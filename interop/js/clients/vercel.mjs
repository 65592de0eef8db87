// Four programs over the Vercel AI SDK, which differ in what they look at, and the
// SDK's providers.
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { streamText } from 'ai';
import { key, model, prompt } from './program.mjs';

const at = (base) => ({ apiKey: key, baseURL: `${base}/v1` });
const chat = (base) => createOpenAI(at(base)).chat(model);
const responses = (base) => createOpenAI(at(base)).responses(model);
const anthropic = (base) => createAnthropic(at(base))(model);
const compatible = (base) => createOpenAICompatible({ name: 'test', ...at(base) })(model);

// start starts an answer. Without onError errors are logged.
function start(provider, { base, signal }, onError = () => {}) {
  return streamText({ model: provider(base), prompt, maxRetries: 0, abortSignal: signal, onError });
}

// text looks at nothing but the text.
const text = (provider) => async (job) => {
  for await (const piece of start(provider, job).textStream) job.say(piece);
};

// awaited also awaits why the answer finished.
const awaited = (provider) => async (job) => {
  const result = start(provider, job);
  for await (const piece of result.textStream) job.say(piece);
  await result.finishReason;
};

// heeded keeps what onError is told, which comes before the loop ends.
const heeded = (provider) => async (job) => {
  let failure;
  const result = start(provider, job, ({ error }) => {
    failure ??= error;
  });
  try {
    for await (const piece of result.textStream) job.say(piece);
  } catch (err) {
    failure ??= err;
  }
  if (failure !== undefined) throw failure;
};

// parts takes a part of type error for what it is.
const parts = (provider) => async (job) => {
  for await (const part of start(provider, job).fullStream) {
    if (part.type === 'text-delta') job.say(part.text);
    if (part.type === 'error') throw part.error;
  }
};

export const chatText = text(chat);
export const chatAwaited = awaited(chat);
export const chatHeeded = heeded(chat);
export const chatParts = parts(chat);
export const responsesAwaited = awaited(responses);
export const responsesParts = parts(responses);
export const anthropicAwaited = awaited(anthropic);
export const anthropicParts = parts(anthropic);
export const compatibleAwaited = awaited(compatible);
export const compatibleParts = parts(compatible);
