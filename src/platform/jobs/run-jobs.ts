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
/** What so many runs did not end, their processes died of. */
const MOST_DEATHS = 3;

/** How long to wait after so many failures in a row. A time that somebody named wins. `random` in [0, 1). */
export function waitMs(backoff: Backoff, failures: number, { random, afterMs }: { random: number; afterMs: number | null }): number {
  return afterMs === null ? backoffMs(backoff, failures, random) : Math.min(Math.max(afterMs, backoff.firstMs), MOST_ASKED_MS);
}

type Options = {
  pool: Pool;
  /** How often is looked for jobs that are due. */
  everyMs: number;
  random(): number;
  /** `kind` null: it is not known which jobs are due. */
  onFailed(kind: string | null, err: unknown): void;
};

export type RunningJobs = AsyncDisposable & {
  /** Looks for jobs of these kinds now. */
  look(): Promise<void>;
  /** Runs a job now, whether or not it is due; returns its end. Null: it runs already. */
  runNow(kind: string, key: string): Promise<JobEnd | null>;
};

/** Runs the jobs of a process when they are due; any number of processes may. One look finds those of all its parts. */
export class Jobs {
  readonly #options: Options;
  readonly #parts = new Set<Part>();
  readonly #looks = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Runs jobs of these kinds; `onlyAsked`: none but those that `runNow` is called for. Disposing cuts off what runs of them, and waits for it. */
  start(kinds: readonly JobKind[], { onlyAsked = false } = {}): RunningJobs {
    const part = new Part(this.#options, kinds);
    const look = () => this.#look([part]);
    if (!onlyAsked) {
      this.#parts.add(part);
      this.#timer ??= setInterval(() => void (this.#looks.size > 0 || this.#look([...this.#parts])), this.#options.everyMs).unref();
      void look();
    }
    return { look, runNow: (kind, key) => part.runNow(kind, key), [Symbol.asyncDispose]: () => this.#end(part) };
  }

  async #end(part: Part): Promise<void> {
    this.#parts.delete(part);
    if (this.#parts.size === 0) this.#timer = void clearInterval(this.#timer);
    part.stop();
    await Promise.all(this.#looks);
    await part.ended();
  }

  #look(parts: readonly Part[]): Promise<void> {
    const looking = this.#startDue(parts).finally(() => this.#looks.delete(looking));
    this.#looks.add(looking);
    return looking;
  }

  async #startDue(parts: readonly Part[]): Promise<void> {
    const { pool, onFailed } = this.#options;
    const free = parts.flatMap((part) => part.free());
    if (free.length === 0) return;
    try {
      for (const part of parts) await part.unblock();
      const due = await dueKinds(pool, free);
      for (const part of parts) part.startDue(due);
    } catch (thrown) {
      onFailed(null, thrown);
    }
  }
}

/** Runs jobs of a kind one after the other; `failing`: those, too, that failed twice in a row. */
type Line = { ended: Promise<void>; failing: boolean };

/** Kinds that begin and end together. */
class Part {
  readonly #options: Options;
  readonly #stopping = new AbortController();
  readonly #lines: ReadonlyMap<JobKind, Set<Line>>;
  #unblockedAt: number | null = null;

  constructor(options: Options, kinds: readonly JobKind[]) {
    this.#options = options;
    this.#lines = new Map(kinds.map((kind) => [kind, new Set()]));
  }

  stop(): void {
    this.#stopping.abort();
  }

  async ended(): Promise<void> {
    await Promise.all([...this.#lines.values()].flatMap((lines) => [...lines].map(({ ended }) => ended)));
  }

  /** Those of which one more run may begin. */
  free(): JobKind[] {
    return [...this.#lines.keys()].filter((kind) => this.#mayStart(kind));
  }

  startDue(due: ReadonlySet<string>): void {
    for (const kind of this.free()) if (due.has(kind.kind)) this.#startLine(kind);
  }

  /** At the start, and once a day: what was missing may be there. */
  async unblock(): Promise<void> {
    if (this.#unblockedAt !== null && performance.now() - this.#unblockedAt < BLOCKED_MS) return;
    const kinds = [...this.#lines.keys()];
    await writePeriodic(this.#options.pool, kinds);
    await unblockJobs(this.#options.pool, kinds);
    this.#unblockedAt = performance.now();
  }

  #mayStart(kind: JobKind): boolean {
    return (this.#lines.get(kind)?.size ?? 0) < kind.concurrency;
  }

  #startLine(kind: JobKind): void {
    const lines = this.#lines.get(kind);
    if (lines === undefined || !this.#mayStart(kind) || this.#stopping.signal.aborted) return;
    const failing = [...lines].filter((other) => other.failing).length < (kind.failing ?? kind.concurrency);
    const ended = this.#line(kind, failing)
      .catch((thrown: unknown) => this.#options.onFailed(kind.kind, thrown))
      .finally(() => lines.delete(line));
    const line: Line = { ended, failing };
    lines.add(line);
  }

  /** Runs what is due until nothing is; `failing`: what failed twice in a row, too. */
  async #line(kind: JobKind, failing: boolean): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const jobs = await claimJobs(this.#options.pool, kind.kind, { size: kind.batch, leaseMs: kind.leaseMs, failing });
      if (jobs.length === 0) return;
      // A full page says that there may be more than one line can do.
      if (jobs.length === kind.batch) this.#startLine(kind);
      const killing = jobs.filter(({ wasCut, attempts }) => wasCut && attempts > MOST_DEATHS);
      const left = killing.map((job) => this.#failed(kind, job, { why: 'the process that ran it ended', afterMs: kind.everyMs }));
      if (left.length > 0) await settleJobs(this.#options.pool, { done: [], left });
      if (left.length < jobs.length) {
        await this.#runClaimed(
          kind,
          jobs.filter((job) => !killing.includes(job)),
        );
      }
      // Of what runs by itself there is one job.
      if (kind.everyMs !== null) return;
    }
  }

  async runNow(name: string, key: string): Promise<JobEnd | null> {
    const kind = [...this.#lines.keys()].find((one) => one.kind === name);
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
    // Leases that can't be renewed now may be the next time. If none is left, somebody dropped the jobs, or another process has claimed them.
    const renew = async () => (await renewLeases(pool, jobs, kind.leaseMs)) || over.abort(new Error('it was dropped, or another process has it'));
    const renewing = setInterval(() => void renew().catch(() => undefined), kind.leaseMs / 3);
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

  #left(kind: JobKind, { job, tookMs }: { job: Job; tookMs: number }, end: JobEnd = { is: 'failed', why: 'its run gave it no end', afterMs: null }): Left[] {
    const { attempts, error } = job;
    const { everyMs } = kind;
    switch (end.is) {
      case 'done':
        return everyMs === null ? [] : [{ job, waitMs: this.#untilNext(everyMs, tookMs), attempts: 0, error: null }];
      case 'again':
        return [{ job, waitMs: end.ms, attempts: 0, error: null }];
      case 'waits':
        return [{ job, waitMs: end.ms, attempts: attempts - 1, error }];
      case 'failed': {
        const failed = this.#failed(kind, job, end);
        // A step of what runs by itself may fail each time; the others are done as often as ever.
        return [{ ...failed, waitMs: Math.min(failed.waitMs, everyMs ?? Number.POSITIVE_INFINITY) }];
      }
      case 'blocked':
        return [{ job, waitMs: null, attempts, error: end.why }];
    }
  }

  #failed({ backoff }: JobKind, job: Job, { why, afterMs }: { why: string; afterMs: number | null }): Left & { waitMs: number } {
    return { job, waitMs: waitMs(backoff, job.attempts, { random: this.#options.random(), afterMs }), attempts: job.attempts, error: why };
  }
}
