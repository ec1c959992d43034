import fc from 'fast-check';
import { shopifyHistories, wooHistories } from './histories.ts';
import { byRateText, sameMoney } from './money-by-rate.ts';
import { type Ended, playHistory } from './play-history.ts';
import type { ToldHistory } from './told-history.ts';

/** How a run went. `wrong`: the smallest history found whose record is wrong though nobody was asked; null: there is none. */
export type HistoriesReport = { lines: string[]; wrong: string | null; share: Record<string, number> };

type Telling = { history: ToldHistory; order: number[]; repeats: number[]; attempts: number[] };

const positions = fc.array(fc.nat(1_000_000), { minLength: 60, maxLength: 60 });

const tellings: fc.Arbitrary<Telling> = fc.record({
  history: fc.oneof(shopifyHistories, wooHistories),
  order: positions,
  repeats: fc.array(fc.nat(59), { maxLength: 5 }),
  attempts: fc.array(fc.nat(70), { maxLength: 40 }),
});

/** Half of the histories arrive as they were told, the others shuffled; some deliveries twice. */
function arrivalsOf({ history: { told }, order, repeats }: Telling): number[] {
  const isShuffled = (order[0] ?? 0) % 2 === 0;
  // Nothing that came before overtakes what must come in its turn.
  const orders = told.map((_, at) => told.slice(0, at + 1).filter(({ inOrder }) => inOrder).length);
  const all = [...told.keys(), ...repeats.filter((at) => at < told.length)];
  const place = (at: number) => (isShuffled ? (order[at] ?? 0) : at);
  return all.toSorted((a, b) => (orders[a] ?? 0) - (orders[b] ?? 0) || place(a) - place(b));
}

class Count {
  readonly #all = new Map<string, { told: number; agree: number; asked: number; askedThoughAgreed: number; codes: Map<string, number> }>();

  add({ platform, truth }: ToldHistory, { asked }: Ended): void {
    const count = this.#all.get(platform) ?? { told: 0, agree: 0, asked: 0, askedThoughAgreed: 0, codes: new Map<string, number>() };
    this.#all.set(platform, count);
    count.told += 1;
    count.agree += Number(truth.agrees);
    count.asked += Number(asked !== null);
    if (asked === null || !truth.agrees) return;
    count.askedThoughAgreed += 1;
    const code = asked.split(':', 1)[0] ?? '';
    count.codes.set(code, (count.codes.get(code) ?? 0) + 1);
  }

  /** Of the histories whose witnesses agree: how many are with a person, in percent. */
  shares(): Record<string, number> {
    return Object.fromEntries([...this.#all].map(([platform, { agree, askedThoughAgreed }]) => [platform, (100 * askedThoughAgreed) / Math.max(1, agree)]));
  }

  lines(): string[] {
    const shares = this.shares();
    return [...this.#all].map(([platform, { told, agree, asked, askedThoughAgreed, codes }]) => {
      const which = [...codes].map(([code, count]) => `${code} ${count}`).join(', ');
      const share = `${askedThoughAgreed} (${shares[platform]?.toFixed(2)} %)`;
      return `${platform}: ${told} histories, ${asked} with a person; witnesses agree in ${agree}, of those with a person ${share}${which === '' ? '' : `: ${which}`}`;
    });
  }
}

/** Why this end is wrong; null: it is right, or a person was asked. */
export function wrongEnd({ truth, story }: ToldHistory, { stands, asked }: Ended): string | null {
  if (asked !== null) return null;
  if (truth.byRate !== null && sameMoney(stands, truth.byRate, truth.tolerance)) return null;
  const should = truth.byRate === null ? 'a person asked' : byRateText(truth.byRate);
  return `recorded is ${byRateText(stands)}, right is ${should}\n  ${story.join('\n  ')}`;
}

export async function checkHistories({ count, seed }: { count: number; seed: number }): Promise<HistoriesReport> {
  const counted = new Count();
  const property = fc.asyncProperty(tellings, async (telling) => {
    const ended = await playHistory(telling.history, { arrivals: arrivalsOf(telling), attempts: new Set(telling.attempts) });
    counted.add(telling.history, ended);
    const wrong = wrongEnd(telling.history, ended);
    if (wrong !== null) throw new Error(`${telling.history.platform}: ${wrong}`);
  });
  const result = await fc.check(property, { numRuns: count, seed });
  const wrong = result.failed ? `seed ${result.seed}, path ${result.counterexamplePath}: ${String(result.errorInstance)}` : null;
  return { lines: [...counted.lines(), `${result.numRuns} histories, seed ${result.seed}`], wrong, share: counted.shares() };
}
