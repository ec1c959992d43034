import { type Backoff, backoffMs } from '../backoff.ts';
import { errorWords } from '../error-words.ts';
import type { Pool } from '../postgres/postgres.ts';
import type { JobEnd, JobKind } from './job-kind.ts';
import { claimJob, claimJobs, dueKinds, type Job, type Left, renewLeases, settleJobs, unblockJobs, writePeriodic } from './job-store.ts';

const DAY_MS = 86_400_000;
/** Who names a later time may be mistaken. */
const MOST_ASKED_MS = DAY_MS;
/** After which it is tried whether blocked jobs can be done now. */
const BLOCKED_MS = DAY_MS;

/** How long to wait after so many failures in a row. A time that somebody named wins. `random` in [0, 1). */
export function waitMs(backoff: Backoff, failures: number, { random, afterMs }: { random: number; afterMs: number | null }): number {
  return afterMs === null ? backoffMs(backoff, failures, random) : Math.min(Math.max(afterMs, backoff.firstMs), MOST_ASKED_MS);
}

type Options = {
  pool: Pool;
  kinds: readonly JobKind[];
  /** How often is looked for jobs that are due. */
  everyMs: number;
  /** Are only jobs run that `runNow` is called for? */
  onlyAsked?: boolean;
  random(): number;
  /** `kind` null: it is not known which jobs are due. */
  onFailed(kind: string | null, err: unknown): void;
};

/** Runs jobs of these kinds when they are due; any number of processes may. Disposing cuts off what runs, and waits for it. */
export function startJobs(options: Options): RunningJobs {
  return new Jobs(options);
}

export type RunningJobs = AsyncDisposable & {
  /** Runs a job now, whether or not it is due; returns its end. Null: it runs already. */
  runNow(kind: string, key: string): Promise<JobEnd | null>;
};

class Jobs implements RunningJobs {
  readonly #options: Options;
  readonly #stopping = new AbortController();
  readonly #lines = new Map<JobKind, Set<Promise<void>>>();
  readonly #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | null = null;
  #unblockedAt: number | null = null;

  constructor(options: Options) {
    this.#options = options;
    for (const kind of options.kinds) this.#lines.set(kind, new Set());
    if (options.onlyAsked === true) return;
    this.#timer = setInterval(() => this.#look(), options.everyMs).unref();
    this.#look();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    this.#stopping.abort();
    await this.#looking;
    await Promise.all([...this.#lines.values()].flatMap((lines) => [...lines]));
  }

  #look(): void {
    this.#looking ??= this.#startDue().finally(() => {
      this.#looking = null;
    });
  }

  async #startDue(): Promise<void> {
    const { pool, kinds } = this.#options;
    const free = kinds.filter((kind) => this.#mayStart(kind));
    if (free.length === 0) return;
    try {
      await this.#unblock();
      const due = await dueKinds(pool, free);
      for (const kind of free) if (due.has(kind.kind)) this.#startLine(kind);
    } catch (thrown) {
      this.#options.onFailed(null, thrown);
    }
  }

  /** At the start, and once a day: what was missing may be there. */
  async #unblock(): Promise<void> {
    const { pool, kinds } = this.#options;
    if (this.#unblockedAt !== null && performance.now() - this.#unblockedAt < BLOCKED_MS) return;
    await writePeriodic(pool, kinds);
    await unblockJobs(
      pool,
      kinds.map(({ kind }) => kind),
    );
    this.#unblockedAt = performance.now();
  }

  #mayStart(kind: JobKind): boolean {
    return (this.#lines.get(kind)?.size ?? 0) < kind.concurrency;
  }

  #startLine(kind: JobKind): void {
    const lines = this.#lines.get(kind);
    if (lines === undefined || !this.#mayStart(kind) || this.#stopping.signal.aborted) return;
    const line = this.#line(kind)
      .catch((thrown: unknown) => this.#options.onFailed(kind.kind, thrown))
      .finally(() => lines.delete(line));
    lines.add(line);
  }

  /** Runs what is due until nothing is. */
  async #line(kind: JobKind): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const jobs = await claimJobs(this.#options.pool, kind.kind, { size: kind.batch, leaseMs: kind.leaseMs });
      if (jobs.length === 0) return;
      // A full page says that there may be more than one line can do.
      if (jobs.length === kind.batch) this.#startLine(kind);
      await this.#runClaimed(kind, jobs);
    }
  }

  async runNow(name: string, key: string): Promise<JobEnd | null> {
    const kind = this.#options.kinds.find((one) => one.kind === name);
    if (kind === undefined) throw new Error(`jobs of the kind ${name} do not run here`);
    const job = await claimJob(this.#options.pool, { kind: name, key, leaseMs: kind.leaseMs });
    return job === null ? null : ((await this.#runClaimed(kind, [job]))[0] ?? null);
  }

  async #runClaimed(kind: JobKind, jobs: readonly Job[]): Promise<JobEnd[]> {
    const began = performance.now();
    const ends = await this.#run(kind, jobs);
    const tookMs = performance.now() - began;
    const left = jobs.flatMap((job, place) => this.#left(kind, { job, tookMs }, ends[place]));
    await settleJobs(this.#options.pool, { done: jobs.filter((job) => left.every((one) => one.job !== job)), left });
    return ends;
  }

  async #run(kind: JobKind, jobs: readonly Job[]): Promise<JobEnd[]> {
    const { pool, onFailed } = this.#options;
    const over = new AbortController();
    const tooLong = setInterval(() => {
      const late = new Error(`no end within ${kind.timeoutMs} ms`);
      onFailed(kind.kind, late);
      over.abort(late);
    }, kind.timeoutMs);
    // A run that is told to end may go on for a while: until it really ends, its jobs stay claimed, so that none of them runs twice at once.
    // One that can't be renewed now may be the next time, and ends at the latest when another process claims the jobs.
    const renewing = setInterval(() => void renewLeases(pool, jobs, kind.leaseMs).catch(() => undefined), kind.leaseMs / 3);
    try {
      return await kind.run(jobs, AbortSignal.any([this.#stopping.signal, over.signal]));
    } catch (thrown) {
      if (this.#stopping.signal.aborted) return jobs.map(() => ({ is: 'waits', ms: 0 }));
      if (!over.signal.aborted) onFailed(kind.kind, thrown);
      return jobs.map(() => ({ is: 'failed', why: errorWords(thrown), afterMs: null }));
    } finally {
      clearInterval(tooLong);
      clearInterval(renewing);
    }
  }

  /** At a look near its time; one that takes longer than its time leaves a pause. */
  #untilNext(everyMs: number, tookMs: number): number {
    const halfALook = this.#options.everyMs / 2;
    return Math.max(halfALook, everyMs - halfALook - tookMs);
  }

  #left(
    { backoff, everyMs }: JobKind,
    { job, tookMs }: { job: Job; tookMs: number },
    end: JobEnd = { is: 'failed', why: 'its run gave it no end', afterMs: null },
  ): Left[] {
    const { attempts, error } = job;
    switch (end.is) {
      case 'done':
        return everyMs === null ? [] : [{ job, waitMs: this.#untilNext(everyMs, tookMs), attempts: 0, error: null }];
      case 'again':
        return [{ job, waitMs: end.ms, attempts: 0, error: null }];
      case 'waits':
        return [{ job, waitMs: end.ms, attempts: attempts - 1, error }];
      case 'failed':
        return [
          {
            job,
            // A step of what runs by itself may fail each time; the others are done as often as ever.
            waitMs: Math.min(waitMs(backoff, attempts, { random: this.#options.random(), afterMs: end.afterMs }), everyMs ?? Number.POSITIVE_INFINITY),
            attempts,
            error: end.why,
          },
        ];
      case 'blocked':
        return [{ job, waitMs: null, attempts, error: end.why }];
    }
  }
}
