/** Who is to be processed. Attempts are scheduled in turn over connections; a destination has a number of slots of its own. */
export type AttemptOf = { connectionId: string; destinationId: string };

export type ConcurrencyLimiterOptions = {
  concurrency: number;
  /** ms; never set back */
  now(): number;
};

/** Of a connection: how many attempts at its orders run, and a number that is the higher the later the last of them began. */
export type ConnectionLoad = { running: number; last: number };

/** How many attempts may begin now, no matter who of these they are to; and to whom none may. */
export type Capacity = { size: number; notOf: string[]; notTo: string[] };

/** Gives the slot of an attempt back; once more changes nothing. */
export type EndAttempt = () => void;

/** After so long an attempt gives up its slot among the young: one that hangs costs its own connection, and no other. */
const YOUNG_MS = 1_000;
/** By CONCURRENCY: attempts under way however old, and those of one destination. */
const MOST_RUNNING = 3;
const MOST_OF_DESTINATION = 2;
/** Anyone who had no attempt for longer than that many others is as one that had none. */
const MOST_SERVED = 1_000;

type Left = readonly [id: string, slots: number];

/**
 * Lets so many attempts run that are younger than a second, and so many of one connection however old. The more attempts hang, the fewer may join them, so that
 * slots are free for a connection that has none.
 */
export class ConcurrencyLimiter {
  readonly #options: ConcurrencyLimiterOptions;
  readonly #ofConnection = new Map<string, number>();
  readonly #ofDestination = new Map<string, number>();
  /** In the order in which they began. */
  readonly #young = new Set<AttemptOf & { began: number }>();
  /** The connections that had an attempt lately, the last one at the end. */
  readonly #last = new Map<string, number>();
  #running = 0;
  #begun = 0;
  #free: () => void = () => undefined;

  constructor(options: ConcurrencyLimiterOptions) {
    this.#options = options;
  }

  /** Called whenever an attempt ends. */
  onFree(free: () => void): void {
    this.#free = free;
  }

  /** What may begin. Nobody of those that are not left out has fewer slots than `size`; anyone who would make it much smaller for all is left out. */
  capacity(): Capacity {
    this.#grow();
    const { concurrency } = this.#options;
    const young = Math.max(0, Math.min(this.#slotsFor(0), concurrency - this.#young.size));
    const connections = leftOf(this.#ofConnection, (running) => this.#slotsFor(running));
    const destinations = leftOf(this.#ofDestination, (running) => concurrency * MOST_OF_DESTINATION - running);
    const least = young / 2;
    const left = [...connections, ...destinations].flatMap(([, slots]) => (slots > 0 && slots >= least ? [slots] : []));
    const full = (all: readonly Left[]) => all.flatMap(([id, slots]) => (slots > 0 && slots >= least ? [] : [id]));
    return { size: Math.min(young, ...left), notOf: full(connections), notTo: full(destinations) };
  }

  /** The connections that had an attempt lately, by id. */
  served(): Record<string, ConnectionLoad> {
    return Object.fromEntries([...this.#last].map(([id, last]) => [id, { running: this.#ofConnection.get(id) ?? 0, last }]));
  }

  /** Begins an attempt, for which there is capacity. */
  begin(of: AttemptOf): EndAttempt {
    this.#grow();
    const attempt = { ...of, began: this.#options.now() };
    this.#young.add(attempt);
    this.#count(attempt, 1);
    this.#serve(of.connectionId);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#young.delete(attempt);
      this.#count(attempt, -1);
      this.#free();
    };
  }

  /** Attempts that have become old. */
  #grow(): void {
    const old = this.#options.now() - YOUNG_MS;
    for (const attempt of this.#young) {
      if (attempt.began > old) break;
      this.#young.delete(attempt);
    }
  }

  /** How many attempts a connection may begin that has so many. It takes at most half of the slots that are left, so that they do not end with few connections. */
  #slotsFor(running: number): number {
    const { concurrency } = this.#options;
    return Math.min(concurrency - running, Math.ceil((concurrency * MOST_RUNNING - this.#running - running) / 2));
  }

  #serve(connectionId: string): void {
    this.#begun += 1;
    this.#last.delete(connectionId);
    this.#last.set(connectionId, this.#begun);
    const [first] = this.#last.keys();
    if (this.#last.size > MOST_SERVED && first !== undefined) this.#last.delete(first);
  }

  #count({ connectionId, destinationId }: AttemptOf, by: 1 | -1): void {
    this.#running += by;
    add(this.#ofConnection, connectionId, by);
    add(this.#ofDestination, destinationId, by);
  }
}

/** How many slots each has left. */
function leftOf(running: ReadonlyMap<string, number>, slotsFor: (running: number) => number): Left[] {
  return [...running].map(([id, count]) => [id, slotsFor(count)]);
}

function add(counts: Map<string, number>, id: string, by: 1 | -1): void {
  const count = (counts.get(id) ?? 0) + by;
  if (count === 0) counts.delete(id);
  else counts.set(id, count);
}
