import { databaseMoved, databaseUnwatched, recordingStopped } from '../bridge/bridge-events.ts';
import { takePromoted } from '../bridge/ledger/database-acts.ts';
import {
  beat,
  behind,
  companyMarks,
  type DatabasePlace,
  highest,
  type Marks,
  marksOf,
  type RecordingStop,
  readPlace,
  stopOf,
  stopRecording,
} from '../platform/postgres/database-place.ts';
import { repeat } from '../platform/repeat.ts';
import { withTimeout } from '../platform/with-timeout.ts';
import { hasService } from '../service/database/service-tables.ts';
import type { Core } from './core.ts';
import { type KnownMarks, openKnownMarks } from './known-marks.ts';
import type { Queues } from './queues.ts';

const LOOK_MS = 2_000;
const MOST_MS = 10_000;

/**
 * Sees that the database is the one that this program knew, and lacks nothing that it had, at once and every two seconds; else nothing is recorded until a
 * person says so. What it must know for that is outside of the database, and in this process.
 */
export async function watchDatabase(core: Core, { system }: Pick<Queues, 'system'>): Promise<AsyncDisposable> {
  // What it was before is not known yet.
  core.recording.isStopped = true;
  const watch = new Watch(core, openKnownMarks(system.redis, core.config.dataDir));
  await watch.look();
  const looks = repeat(watch.look, LOOK_MS);
  return { [Symbol.asyncDispose]: () => looks.end() };
}

/** For a command that records without a server: sees once that the database is the right one. */
export async function lookOnce(core: Core, { system }: Pick<Queues, 'system'>): Promise<void> {
  await new Watch(core, openKnownMarks(system.redis, core.config.dataDir)).look();
}

class Watch {
  readonly #core: Core;
  readonly #outside: KnownMarks;
  /** What this process knows itself. */
  #own: { id: string; marks: Marks } | null = null;
  #wasStopped = false;
  #wasUnwatched = false;

  constructor(core: Core, outside: KnownMarks) {
    this.#core = core;
    this.#outside = outside;
  }

  /** Never rejects: what can't be looked at now is looked at again. */
  readonly look = async (): Promise<void> => {
    try {
      // On a connection whose server is gone a query waits for a quarter of an hour.
      const stop = await withTimeout(MOST_MS, this.#stop());
      if (stop !== null && !this.#wasStopped) recordingStopped(this.#core.log, stop);
      this.#wasStopped = stop !== null;
      this.#core.recording.isStopped = stop !== null;
    } catch (err) {
      this.#note(err);
    }
  };

  #note(err: unknown): void {
    if (!this.#wasUnwatched) databaseUnwatched(this.#core.log, err);
    this.#wasUnwatched = true;
  }

  async #stop(): Promise<{ why: RecordingStop; place: DatabasePlace; lacks: string[] } | null> {
    const { pool, log } = this.#core;
    const id = this.#own?.id ?? (await readPlace(pool)).id;
    // First what is known, then what the database has: meanwhile that can only rise.
    const known = await this.#known(id);
    const companies = await this.#companies();
    const place = await readPlace(pool);
    // Tables that a test brings back have another id.
    if (place.id !== id) {
      this.#own = { id: place.id, marks: new Map() };
      return null;
    }
    const lacks = behind(marksOf(place, companies), known);
    const why = place.stopped ?? (lacks.length > 0 ? 'older' : stopOf(place));
    if (why !== null) {
      await stopRecording(pool, why);
      return { why, place, lacks };
    }
    if (place.place !== place.here && (await takePromoted(pool, place))) databaseMoved(log, place);
    const risen = await beat(pool, place);
    if (risen === null) return null;
    const marks = marksOf({ ...place, beat: risen }, companies);
    this.#own = { id: place.id, marks };
    // It lacks nothing that is known; what can't be kept outside now is kept the next time.
    await this.#outside.raise(place.id, marks).then(
      () => {
        this.#wasUnwatched = false;
      },
      (err: unknown) => this.#note(err),
    );
    return null;
  }

  /** Where Redis does not answer, what this process knows itself. */
  async #known(id: string): Promise<Marks> {
    const own = this.#own?.marks;
    if (own === undefined) return this.#outside.read(id);
    return highest(own, await this.#outside.read(id).catch(() => new Map()));
  }

  async #companies(): Promise<Marks> {
    return (await hasService(this.#core.pool)) ? companyMarks(this.#core.pool) : new Map();
  }
}
