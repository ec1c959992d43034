import { setTimeout as sleep } from 'node:timers/promises';
import { endTask, insertTask, leaveTask, type NewTask, stampTask } from '../../bridge/ledger/task-store.ts';
import { NotRead } from '../../bridge/reconciliation/open-readable-store.ts';
import { type Lang, quoted, type Said } from '../../contract/said.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { notRead } from '../reconciliation/read-store.ts';
import { Refusal } from '../refusal.ts';

/** `background`: keeps what goes on after an answer; its failure is logged, and a stop of the process waits for it. `stop`: the process stops. */
export type TaskDeps = { pool: Pool; background(work: Promise<unknown>): void; stop: AbortSignal };

/** `onRead`: how many orders were read so far. */
export type Progress = { signal: AbortSignal; onRead(count: number): void };

type Work = (progress: Progress) => Promise<unknown>;

/** Far less than a task is held for. */
const STAMP_MS = 2_000;

/** Begins what takes longer than an answer, and returns its id at once; what `work` returns, as JSON, is kept. One at a time for each store. */
export async function beginTask(deps: TaskDeps, task: NewTask, work: Work): Promise<string> {
  const id = await insertTask(deps.pool, task);
  if (id === null) {
    const said = { en: 'something else is being done with this store right now', bg: 'с този магазин в момента се прави нещо друго' };
    throw new Refusal('conflict', said, {
      advice: { en: 'its page shows how far that came; then try again', bg: 'страницата му показва докъде е стигнало; после опитайте отново' },
    });
  }
  deps.background(workOn(deps, id, work));
  return id;
}

async function workOn({ pool, stop }: TaskDeps, id: string, work: Work): Promise<void> {
  const ended = new AbortController();
  let seen = 0;
  const stamping = stampOften(pool, id, { seen: () => seen, ended: ended.signal });
  const signal = stop;
  try {
    const result = await work({ signal, onRead: (count) => (seen = count) });
    await endTask(pool, id, { seen, result, problem: null });
  } catch (thrown) {
    if (stop.aborted) return await leaveTask(pool, id, seen);
    await endTask(pool, id, { seen, result: null, problem: problemOf(thrown) });
    if (!(thrown instanceof Refusal || thrown instanceof NotRead)) throw thrown;
  } finally {
    ended.abort();
    await stamping;
  }
}

function problemOf(thrown: unknown): Said {
  if (thrown instanceof Refusal) return withAdvice(thrown);
  return thrown instanceof Error && thrown.name === 'AbortError' ? quoted(thrown.message) : notRead(thrown).why;
}

function withAdvice({ said, advice }: Refusal): Said {
  const both = (lang: Lang) => (advice === null ? said[lang] : `${said[lang]}; ${advice[lang]}`);
  return { en: both('en'), bg: both('bg') };
}

async function stampOften(pool: Pool, id: string, { seen, ended }: { seen(): number; ended: AbortSignal }): Promise<void> {
  while (!ended.aborted) {
    await sleep(STAMP_MS, undefined, { signal: ended }).catch(() => undefined);
    // A database that is away for a moment: the next stamp comes soon.
    if (!ended.aborted) await stampTask(pool, id, seen()).catch(() => undefined);
  }
}
