// The thread of the attackers: it must not hold up the one that measures.
import { parentPort, workerData } from 'node:worker_threads';
import { drawShot } from './draw-shot.ts';
import { type Gun, openGun } from './fire.ts';
import type { FloodOrder, FloodReport, FloodWords } from './flood.ts';
import { CLIENTS, SLOW_AT_ONCE } from './hostile-limits.ts';
import type { Shot } from './shot.ts';

const MOST_SAMPLES = 20;
const TELL_EVERY = 25;
const LATE = 503;

const { url, from, to, ...source }: FloodOrder = workerData;
const report: FloodReport = { answers: {}, unexpected: { count: 0, samples: [] }, late: 0, meant: [], unanswered: [], seconds: 0 };
let next = from;
let answered = 0;
const slow = new Set<Promise<void>>();

async function client(): Promise<void> {
  using gun = openGun(url);
  while (next < to) {
    const shot = drawShot(source, next++);
    if (shot.half === undefined) await one(gun, shot);
    else await aside(gun, shot);
  }
}

/** Slow requests are sent beside the others, so that a client is not kept by them. */
async function aside(gun: Gun, shot: Shot): Promise<void> {
  while (slow.size >= SLOW_AT_ONCE) await Promise.race(slow);
  const sent = one(gun, shot);
  slow.add(sent);
  void sent.finally(() => slow.delete(sent));
}

async function one(gun: Gun, shot: Shot): Promise<void> {
  const status = await gun(shot);
  note(shot, status);
  answered += 1;
  if (answered % TELL_EVERY === 0) say({ answered });
}

function note({ family, method, path, expected, meaning }: Shot, status: number): void {
  const of = report.answers[family] ?? {};
  report.answers[family] = { ...of, [status]: (of[status] ?? 0) + 1 };
  if (status === LATE && family !== 'odd path') report.late += 1;
  else if (!expected.includes(status)) {
    report.unexpected.count += 1;
    if (report.unexpected.samples.length < MOST_SAMPLES) report.unexpected.samples.push(`${family}: ${method} ${path.slice(0, 80)} answered ${status}`);
  }
  if (meaning !== undefined && status === 200) report.meant.push(meaning);
  else if (meaning !== undefined && (status === 0 || status >= 500)) report.unanswered.push(meaning);
}

function say(words: FloodWords): void {
  parentPort?.postMessage(words);
}

const began = performance.now();
await Promise.all(Array.from({ length: CLIENTS }, client));
await Promise.all(slow);
report.seconds = (performance.now() - began) / 1000;
say({ report });
