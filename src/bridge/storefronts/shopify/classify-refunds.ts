import type { Leaving, ListedRefund } from './listed-refund.ts';
import { subsetsWorth } from './subset-worth.ts';

/** What the money of refunds was for, where it is not just that of their pieces. */
export type Classified = {
  /** Refunds of less than their pieces cost: a part was kept, such as a restocking fee. */
  short: ReadonlySet<string>;
  /** Money given back without a piece, by refund. */
  extra: ReadonlyMap<string, bigint>;
};

export type Evidence = {
  refunds: readonly ListedRefund[];
  /** What edits took off, the newest first. */
  takenOff: readonly Leaving[];
  /** What each line costs that may have been added by an edit or an exchange. */
  added: readonly bigint[];
  /** Money that the customer should still have back. */
  owed: bigint;
};

/**
 * Explains each refund by the pieces, to the cent: more money than its pieces cost is that of pieces that an edit took off before, or goodwill; less
 * went for another piece in exchange, or was kept.
 */
export function classify({ refunds, takenOff, added, owed }: Evidence): Classified {
  const short = new Set<string>();
  const extra = new Map<string, bigint>();
  const lessThanPieces = [0n, ...(owed > 0n ? [owed] : []), ...added];
  let open = takenOff;
  for (const { id, at, back, value } of refunds.toSorted((a, b) => Number(a.at > b.at) - Number(a.at < b.at))) {
    const beyond = back - value;
    if (beyond > 0n) {
      const paid = repaid(
        open.filter((piece) => piece.at <= at),
        lessThanPieces,
        beyond,
      );
      open = open.filter((piece) => !paid.includes(piece));
      if (paid.length === 0) extra.set(id, beyond);
    } else if (beyond < 0n && back > 0n && !isExchange(added, -beyond)) short.add(id);
  }
  return { short, extra };
}

/** The pieces whose money it is, less what others cost that went out for them, or what is still owed; none if no pieces explain it. */
function repaid(takenOff: readonly Leaving[], less: readonly bigint[], money: bigint): Leaving[] {
  for (const part of less) {
    const [pieces] = subsetsWorth(takenOff, ({ amount }) => amount, money + part);
    if (pieces !== undefined) return pieces;
  }
  return [];
}

function isExchange(added: readonly bigint[], spent: bigint): boolean {
  return added.some((worth) => worth === spent);
}
