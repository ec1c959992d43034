import { countParked } from '../../bridge/ledger/kept-order.ts';
import type { Judgeable } from '../../operations/alerts/judge.ts';
import type { Level, Reason } from '../../operations/verdict/verdict.ts';
import type { Core } from '../core.ts';

/** The verdict that alerts are judged from. */
export async function verdictOf({ pool, destinations }: Pick<Core, 'pool' | 'destinations'>): Promise<Judgeable> {
  const [pauses, parked] = await Promise.all([destinations.pauses(), countParked(pool)]);
  const reasons: Reason[] = [
    ...pauses.map(({ destinationId, shopId, detail }) => ({
      ...{ code: shopId === null ? ('destination.paused' as const) : ('shop.paused' as const), level: 'failing' as const, subject: shopId ?? destinationId },
      ...{ count: null, total: null, since: null, words: `The compliance service is paused: ${detail}`, verb: 'doctor' },
    })),
    ...Object.entries(parked).map(([code, count]) => ({
      ...{ code: 'orders.parked' as const, level: 'attention' as const, subject: code },
      ...{ count, total: null, since: null, words: `Orders wait for a person (${code}).`, verb: 'parked' },
    })),
  ];
  const verdict: 'ok' | Level = pauses.length > 0 ? 'failing' : reasons.length > 0 ? 'attention' : 'ok';
  return { verdict: { verdict, at: new Date().toISOString(), reasons }, notAsked: new Set() };
}
