import { Agent, get, type IncomingMessage } from 'node:http';
import { cpuMs } from '../usage.ts';
import type { Draw, PageCase } from './page-cases.ts';

/** In ms; `cpu`: of the console and PostgreSQL, for one request. `absent`: how many answers were a page that says that there is nothing. */
export type Measured = { name: string; p50: number; p95: number; max: number; cpu: number; kilobytes: number; absent: number };

type Asking = { url: string; token: string; count: number; draw: Draw; pids(): number[] };

/** Answers that are a page, or lead on to one. */
const GOOD = new Set([200, 303, 404]);
/** Just-in-time compilers and plans are not measured. */
const WARM_UP = 3;

/** One request after the other, on one connection, as a browser asks. */
export async function measurePage({ name, path, until }: PageCase, { url, token, count, draw, pids }: Asking): Promise<Measured> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = () => request({ url: `${url}/console${path(draw)}`, token, agent, until });
  try {
    for (let i = 0; i < WARM_UP; i += 1) await ask();
    const before = cpuMs(pids());
    const answers = [];
    for (let i = 0; i < count; i += 1) {
      answers.push(await ask());
      // What is still being made of a file that nobody reads any more is over with the next answer.
      if (until === 'first byte') await request({ url: `${url}/console/account`, token, agent, until: 'end' });
    }
    const cpu = (cpuMs(pids()) - before) / count;
    const at = percentilesOf(answers.map(({ ms }) => ms));
    const absent = answers.filter(({ status }) => status === 404).length;
    return { name, p50: at(0.5), p95: at(0.95), max: at(1), cpu, kilobytes: answers.reduce((sum, { bytes }) => sum + bytes, 0) / count / 1000, absent };
  } finally {
    agent.destroy();
  }
}

/** Any page as text. */
export async function textOf(url: string, token: string): Promise<string> {
  const answer = await fetch(url, { headers: { cookie: `orderbridge=${token}` } });
  if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}`);
  return answer.text();
}

type Request = { url: string; token: string; agent: Agent; until: PageCase['until'] };

async function request({ url, token, agent, until }: Request): Promise<{ ms: number; bytes: number; status: number | undefined }> {
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const answered = (answer: IncomingMessage) => {
      if (!GOOD.has(answer.statusCode ?? 0)) return reject(new Error(`${url} answered ${answer.statusCode}`));
      let bytes = 0;
      answer.on('data', (part: Buffer) => {
        bytes += part.length;
        if (until === 'first byte') answer.destroy();
      });
      answer.once('error', () => undefined);
      answer.once('close', () => resolve({ ms: performance.now() - began, bytes, status: answer.statusCode }));
    };
    get(url, { agent, headers: { cookie: `orderbridge=${token}` } }, answered).once('error', reject);
  });
}

function percentilesOf(values: readonly number[]): (share: number) => number {
  const sorted = values.toSorted((a, b) => a - b);
  return (share) => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}
