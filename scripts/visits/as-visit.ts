import type { VisitDeps, Visited } from '../../src/bridge/delivery/visit-order.ts';
import type { WriteInput } from '../../src/bridge/delivery/visit-ports.ts';
import type { Claim } from '../../src/bridge/order/claim.ts';
import type { Write } from '../../src/bridge/order/turn.ts';
import type { Visitor } from '../../test/support/visits/watched-visit.ts';

// Names that commit be7c6c0 and earlier ones had for the same things.
type OldClaim = Omit<Claim, 'askedRevision'> & { heldRevision: number };
type OldSettlement = Omit<Write, 'askedRevision'> & { claim: WriteInput['claim']; heldRevision?: number };
type OldEnd = Exclude<Visited, { kind: 'paused' }> | { kind: 'held'; why: string };
type OldDeps = Omit<VisitDeps, 'ledger' | 'pauses' | 'storefronts'> & { ledger: object; gate: object; storefronts: object };

export type ConvergeOrder = (deps: OldDeps, input: { orderId: number; probe: boolean; onSent: () => void }) => Promise<OldEnd>;

/** The visit of commit be7c6c0, in the words of today. */
export function asVisit(convergeOrder: ConvergeOrder): Visitor['visit'] {
  return async (deps, input) => {
    const end = await convergeOrder({ ...deps, ledger: oldLedger(deps), gate: oldGate(deps), storefronts: oldStorefronts(deps) }, input);
    return end.kind === 'held' ? { ...end, kind: 'paused' } : end;
  };
}

// Details that be7c6c0 gave in other words.
const REWORDED = [
  ['another worker is at it', 'another worker is working on it'],
  ['what stood before was refused as well: nothing stands now', 'the previous content was refused as well: nothing is recorded now'],
  ['the payment’s transaction id is awaited', 'the payment’s transaction id has not come yet'],
] as const;

/** The same in the words of today. */
export function reworded(text: string): string {
  return REWORDED.reduce((all, [before, now]) => all.replaceAll(before, now), text);
}

/** be7c6c0 did not take back a question that settings of today answer. */
export function withoutReopening(deps: VisitDeps): VisitDeps {
  const { ledger } = deps;
  const write: VisitDeps['ledger']['write'] = async (input) => (input.write.reopens ? { owned: true, newer: false, dueAt: null } : ledger.write(input));
  return { ...deps, ledger: { ...ledger, write } };
}

function oldLedger({ ledger }: VisitDeps) {
  return {
    ...ledger,
    claim: async (orderId: number): Promise<OldClaim> => {
      const claim = await ledger.claim(orderId);
      if ('kind' in claim) throw new Error('every order of a comparison can be claimed');
      const { askedRevision, ...same } = claim;
      return { ...same, heldRevision: askedRevision };
    },
    settle: async ({ claim, heldRevision, ...same }: OldSettlement) => {
      const write = { ...same, ...(heldRevision === undefined ? {} : { askedRevision: heldRevision }) };
      const { owned, ...written } = await ledger.write({ claim, write });
      return { ...written, held: owned };
    },
  };
}

function oldGate({ pauses }: VisitDeps) {
  return {
    ...pauses,
    closed: async (called: Parameters<VisitDeps['pauses']['paused']>[0]) => {
      const paused = await pauses.paused(called);
      return paused === null ? null : { code: paused.code, detail: paused.why, retryAfterMs: null };
    },
    hold: pauses.pause,
    passed: pauses.works,
  };
}

function oldStorefronts({ storefronts }: VisitDeps) {
  return Object.fromEntries(Object.entries(storefronts).map(([name, storefront]) => [name, { ...storefront, complete: storefront.api?.complete }]));
}
