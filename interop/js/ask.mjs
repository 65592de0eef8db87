// Asks with one client, at many addresses, and says how each answer ended as
// far as the client tells. The arguments are a file of clients/ and what it exports;
// standard input is a list of {id, base, patience} in JSON, and what comes out is a
// line of JSON for each.
import { readFileSync } from 'node:fs';

globalThis.AI_SDK_LOG_WARNINGS = false;
const [file, name] = process.argv.slice(2);
const ask = (await import(`./clients/${file}.mjs`))[name];

// What is rejected where nobody listens would end a program. It is told beside the rest.
const strays = new Map();
process.on('unhandledRejection', (err) => strays.set(nameOf(err), (strays.get(nameOf(err)) ?? 0) + 1));

// Standard output is for the answers only.
console.log = console.info = console.warn = console.error;

// nameOf is the class of an error, or the name that it gives itself.
function nameOf(err) {
  const name = err?.constructor?.name ?? typeof err;
  return name === 'Error' ? err.name : name;
}

// told is what a program can learn of an error without reading its prose.
function told(err) {
  const inner = err?.error?.error ?? err?.error ?? err?.data?.error ?? {};
  const first = (...values) => values.find((v) => v !== undefined && v !== null && v !== '');
  return {
    name: nameOf(err),
    status: first(err?.status, err?.statusCode, err?.status_code) ?? 0,
    code: String(first(err?.code, inner.code, inner.details?.error_code, inner.type, err?.type) ?? ''),
    message: String(err?.message ?? err),
  };
}

// once asks once. An answer that has not ended in time hangs.
async function once({ id, base, patience }) {
  let text = '';
  const say = (piece) => {
    text += piece ?? '';
  };
  const stop = new AbortController();
  let timer;
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, patience, { hung: true });
  });
  const answer = ask({ base, say, signal: stop.signal }).then(
    () => ({}),
    (err) => ({ error: told(err) }),
  );
  const ending = await Promise.race([answer, late]);
  clearTimeout(timer);
  process.stdout.write(`${JSON.stringify({ id, text, ...ending })}\n`);
  stop.abort();
}

// Some are asked at the same time, since most of them wait.
const jobs = JSON.parse(readFileSync(0, 'utf8'));
const worker = async () => {
  for (let job = jobs.shift(); job !== undefined; job = jobs.shift()) await once(job);
};
await Promise.all(Array.from({ length: 48 }, worker));
for (const [stray, count] of strays) process.stdout.write(`${JSON.stringify({ stray, count })}\n`);
process.exit(0);
