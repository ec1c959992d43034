import type { Watched } from '../../test/support/attempts/watched-attempt.ts';

/** The cases of a comparison, counted, so that its "no difference" can be judged. */
export class AttemptCount {
  readonly #ends = new Map<string, number>();
  readonly #calls = new Map<string, number>();
  #severalSteps = 0;

  add({ calls, end }: Watched): void {
    this.#count(this.#ends, 'threw' in end ? 'threw' : end.kind === 'rest' ? `rest: ${end.state}` : end.kind);
    for (const { call } of calls) this.#count(this.#calls, call);
    if (calls.filter(({ call }) => call === 'send').length > 1) this.#severalSteps += 1;
  }

  lines(): string[] {
    const all = (counts: Map<string, number>) => [...counts].sort(([, a], [, b]) => b - a).map(([what, count]) => `${what} ${count}`);
    return [`ends: ${all(this.#ends).join(', ')}`, `calls: ${all(this.#calls).join(', ')}`, `attempts that sent several steps: ${this.#severalSteps}`];
  }

  #count(counts: Map<string, number>, what: string): void {
    counts.set(what, (counts.get(what) ?? 0) + 1);
  }
}
