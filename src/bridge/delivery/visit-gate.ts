/** Who is to be visited. Visits take turns over connections; a destination has a number of places of its own. */
export type VisitOf = { connectionId: string; destinationId: string };

export type VisitGateOptions = {
  concurrency: number;
  /** ms; never set back */
  now(): number;
  /** A visit was returned because those that wait left no room to look past them. */
  onReturned(of: VisitOf): void;
};

/** After so long a visit gives up its place among the young: one that hangs costs its own connection, and no other. */
const YOUNG_MS = 1_000;
/** By CONCURRENCY: visits under way however old, those of one destination, and the jobs that BullMQ hands out, which run or wait here. */
const MOST_RUNNING = 3;
const MOST_OF_DESTINATION = 2;
const MOST_JOBS = 4;
const LOOK_MS = 25;
/** When all jobs that BullMQ hands out are here, and none ended for so long, one that waits is returned at each look. */
const STUCK_MS = 100;

/** How many jobs BullMQ should hand out at once. */
export function jobsOf(concurrency: number): number {
  return concurrency * MOST_JOBS;
}

type Group = VisitOf & { running: number; waiting: ((visit: Visit | null) => void)[] };
type Visit = { group: Group; began: number };

/**
 * Lets so many visits run that are younger than a second, and so many of one connection however old; the connection with the fewest goes
 * first. The more visits hang, the fewer may join them, so that places are free for a connection that has none.
 */
export class VisitGate {
  readonly #options: VisitGateOptions;
  /** Those with a visit that runs or waits; the one that went longest ago is first. */
  readonly #groups = new Map<string, Group>();
  readonly #ofDestination = new Map<string, number>();
  /** In the order in which they began. */
  readonly #young = new Set<Visit>();
  #running = 0;
  #waiting = 0;
  #endedAt = 0;
  #looks: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: VisitGateOptions) {
    this.#options = options;
  }

  /** Runs a visit when its turn has come. Null: it was not run, and belongs back on the queue. */
  async run<T>(of: VisitOf, visit: () => Promise<T>): Promise<{ ran: T } | null> {
    if (this.#closed) return null;
    const group = this.#groupOf(of);
    const begun = this.#waiting === 0 && this.#mayBegin(group) ? this.#begin(group) : await this.#turn(group);
    if (begun === null) return null;
    try {
      return { ran: await visit() };
    } finally {
      this.#end(begun);
    }
  }

  /** Runs no more visits; those that wait are returned at once. */
  close(): void {
    this.#closed = true;
    for (const group of [...this.#groups.values()]) while (group.waiting.length > 0) this.#giveBack(group);
  }

  #groupOf(of: VisitOf): Group {
    const group = this.#groups.get(keyOf(of)) ?? { ...of, running: 0, waiting: [] };
    this.#groups.set(keyOf(of), group);
    return group;
  }

  #mayBegin({ running, destinationId }: Group): boolean {
    const { concurrency, now } = this.#options;
    const old = now() - YOUNG_MS;
    for (const visit of this.#young) {
      if (visit.began > old) break;
      this.#young.delete(visit);
    }
    const left = concurrency * MOST_RUNNING - this.#running;
    const ofDestination = this.#ofDestination.get(destinationId) ?? 0;
    return this.#young.size < concurrency && running < Math.min(concurrency, left) && ofDestination < concurrency * MOST_OF_DESTINATION;
  }

  #begin(group: Group): Visit {
    const visit = { group, began: this.#options.now() };
    this.#young.add(visit);
    this.#count(group, 1);
    return visit;
  }

  #end(visit: Visit): void {
    const { group } = visit;
    this.#young.delete(visit);
    this.#count(group, -1);
    this.#endedAt = this.#options.now();
    this.#dropIdle(group);
    this.#beginWaiting();
  }

  #count(group: Group, by: 1 | -1): void {
    const { destinationId } = group;
    group.running += by;
    this.#running += by;
    const ofDestination = (this.#ofDestination.get(destinationId) ?? 0) + by;
    if (ofDestination === 0) this.#ofDestination.delete(destinationId);
    else this.#ofDestination.set(destinationId, ofDestination);
  }

  #dropIdle(group: Group): void {
    if (group.running === 0 && group.waiting.length === 0) this.#groups.delete(keyOf(group));
  }

  #turn(group: Group): Promise<Visit | null> {
    return new Promise((resolve) => {
      group.waiting.push(resolve);
      this.#waiting += 1;
      this.#looks ??= setInterval(() => this.#look(), LOOK_MS);
      this.#beginWaiting();
    });
  }

  #beginWaiting(): void {
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      // Behind all others, for the next time when as many of theirs run.
      this.#groups.delete(keyOf(next));
      this.#groups.set(keyOf(next), next);
      this.#take(next, 'first')?.(this.#begin(next));
    }
  }

  #next(): Group | undefined {
    if (this.#waiting === 0) return undefined;
    let next: Group | undefined;
    for (const group of this.#groups.values()) {
      if (group.waiting.length > 0 && group.running < (next?.running ?? Number.POSITIVE_INFINITY) && this.#mayBegin(group)) next = group;
    }
    return next;
  }

  #take(group: Group, which: 'first' | 'last'): Group['waiting'][number] | undefined {
    this.#waiting -= 1;
    if (this.#waiting === 0) {
      clearInterval(this.#looks);
      this.#looks = undefined;
    }
    return which === 'first' ? group.waiting.shift() : group.waiting.pop();
  }

  #giveBack(group: Group): void {
    this.#take(group, 'last')?.(null);
    this.#dropIdle(group);
  }

  /** Visits have become old meanwhile; and a job of another connection may be next on the queue, but find no room here. */
  #look(): void {
    this.#beginWaiting();
    const { concurrency, now, onReturned } = this.#options;
    if (this.#running + this.#waiting < jobsOf(concurrency) || now() - this.#endedAt < STUCK_MS) return;
    const [longest] = [...this.#groups.values()].sort((a, b) => b.waiting.length - a.waiting.length);
    if (longest === undefined || longest.waiting.length === 0) return;
    onReturned(longest);
    this.#giveBack(longest);
  }
}

function keyOf({ connectionId, destinationId }: VisitOf): string {
  return `${connectionId} ${destinationId}`;
}
