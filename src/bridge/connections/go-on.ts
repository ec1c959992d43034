import type { Connection } from './connection.ts';
import type { Gap } from './new-connection.ts';

const SHORT_MS = 24 * 60 * 60 * 1000;

/** From when on orders are taken, but for the gaps. */
export type Span = Pick<Connection, 'recordFrom' | 'gaps'>;

type Return = {
  /** When it was connected again. ISO instant. */
  at: string;
  /** Orders paid from then on are taken whatever happened meanwhile; null: no word about it. */
  from: string | null;
};

/** How a store that comes back goes on: as if nothing had happened after at most a day, else without what was paid meanwhile. `gap`: what is left out. */
export function goOn({ recordFrom, gaps, closedAt }: Span & Pick<Connection, 'closedAt'>, { at, from }: Return): Span & { gap: Gap | null } {
  const meanwhile: Gap[] = closedAt === null || wasShort({ closedAt }, at) ? [] : [{ from: closedAt, until: at }];
  const span = takeFrom({ recordFrom, gaps: [...gaps, ...meanwhile] }, from);
  return { ...span, gap: meanwhile.length === 0 ? null : (span.gaps.find(({ from: start }) => start === closedAt) ?? null) };
}

/** Was it disconnected, and for so short that at `at` it would go on as if nothing had happened? */
export function wasShort({ closedAt }: Pick<Connection, 'closedAt'>, at: string): boolean {
  return closedAt !== null && Date.parse(at) - Date.parse(closedAt) <= SHORT_MS;
}

/** Takes orders paid from `from` on, beside those that are taken already. */
export function takeFrom({ recordFrom, gaps }: Span, from: string | null): Span {
  if (from === null) return { recordFrom, gaps };
  const cut = gaps.filter((gap) => isBefore(gap.from, from)).map((gap) => (isBefore(from, gap.until) ? { ...gap, until: from } : gap));
  return { recordFrom: isBefore(from, recordFrom) ? from : recordFrom, gaps: cut };
}

/**
 * The start of a store on trial: orders paid from `from` on are taken, and of one that recorded before its trial those from until then, too, so that
 * what waited when it was disconnected is not lost.
 */
export function startFrom({ recordFrom, gaps, recordedUntil }: Span & Pick<Connection, 'recordedUntil'>, from: string): Span {
  if (recordedUntil === null) return takeFrom({ recordFrom: from, gaps }, from);
  // Later gaps are in this one.
  const earlier = gaps.filter((gap) => isBefore(gap.from, recordedUntil));
  return takeFrom({ recordFrom, gaps: [...earlier, { from: recordedUntil, until: from }] }, from);
}

function isBefore(a: string, b: string): boolean {
  return Date.parse(a) < Date.parse(b);
}
