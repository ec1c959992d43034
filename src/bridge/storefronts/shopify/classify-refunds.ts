import { smaller, sum } from '../../../contract/money.ts';
import { rateOf, type ShopifyOrder } from './payload.ts';
import type { ListedRefund, RemovedUnits } from './refund.ts';

/** What the money of refunds was for, where it is not just that of their pieces. */
export type Classified = {
  /** Refunds of less than their pieces cost: a part was kept, such as a restocking fee. */
  short: ReadonlySet<string>;
  /** Money given back without a piece, by refund. */
  extra: ReadonlyMap<string, bigint>;
};

type Evidence = {
  refunds: readonly ListedRefund[];
  /** What edits took off, the newest first. */
  removedByEdits: readonly RemovedUnits[];
  /** What each line costs that may have been added by an edit or an exchange. */
  added: readonly bigint[];
  /** Money that the customer should still have back. */
  owed: bigint;
};

/**
 * Explains each refund by the pieces, to the cent: more money than its pieces cost is that of pieces that an edit took off before, or goodwill; less
 * went for another piece in exchange, or was kept.
 */
export function classify({ refunds, removedByEdits, added, owed }: Evidence): Classified {
  const short = new Set<string>();
  const extra = new Map<string, bigint>();
  const lessThanPieces = [0n, ...(owed > 0n ? [owed] : []), ...added];
  let open = removedByEdits;
  let known: ByWorth = { pieces: [], byWorth: new Map() };
  for (const { id, at, back, value } of refunds.toSorted((a, b) => Number(a.at > b.at) - Number(a.at < b.at))) {
    const beyond = back - value;
    if (beyond > 0n) {
      const before = open.filter((piece) => piece.at <= at);
      if (before.length !== known.pieces.length || before.some((piece, nth) => piece !== known.pieces[nth])) known = choicesByWorth(before);
      const paid = repaid(known, lessThanPieces, beyond);
      open = open.filter((piece) => !paid.includes(piece));
      if (paid.length === 0) extra.set(id, beyond);
    } else if (beyond < 0n && back > 0n && !isExchange(added, -beyond)) short.add(id);
  }
  return { short, extra };
}

/** The pieces whose money it is, less what others cost that went out for them, or what is still owed; none if no pieces explain it. */
function repaid({ byWorth }: ByWorth, less: readonly bigint[], money: bigint): RemovedUnits[] {
  return less.map((part) => byWorth.get(money + part)).find((pieces) => pieces !== undefined) ?? [];
}

/** Of these pieces, the first choice that is worth each amount: one message may have hundreds of refunds. */
type ByWorth = { pieces: readonly RemovedUnits[]; byWorth: Map<bigint, RemovedUnits[]> };

function choicesByWorth(pieces: readonly RemovedUnits[]): ByWorth {
  return {
    pieces,
    byWorth: new Map(
      choicesOf(pieces)
        .map((choice): [bigint, RemovedUnits[]] => [worthOf(choice), choice])
        .toReversed(),
    ),
  };
}

function worthOf(pieces: readonly RemovedUnits[]): bigint {
  return sum(pieces.map(({ amount }) => amount));
}

function isExchange(added: readonly bigint[], spent: bigint): boolean {
  return added.some((worth) => worth === spent);
}

/** What is in the lines again because its money is still here: pieces, less `cut` of their money; and lines that were not there before. */
export type Restoration = { pieces: readonly RemovedUnits[]; cut: readonly RemovedUnits[]; without: ReadonlySet<string> };

/** Only what is left. */
export const AS_LEFT: Restoration = { pieces: [], cut: [], without: new Set() };

/**
 * What is in the lines until the money that is owed to the customer has gone: the pieces that an edit took off and that are worth it. Empty if none
 * are, or if it is not clear which.
 */
export function exactRestorations(order: ShopifyOrder, removedByEdits: readonly RemovedUnits[], owed: bigint): Restoration[] {
  return owed <= 0n ? [AS_LEFT] : exactly(order, removedByEdits, owed);
}

/** The same where no pieces are worth just that: the order before its last edits; all that was taken off; a part of its money, if it has one VAT rate. */
export function likelyRestorations(order: ShopifyOrder, removedByEdits: readonly RemovedUnits[], owed: bigint): Restoration[] {
  if (owed <= 0n || removedByEdits.length === 0) return [AS_LEFT];
  const all = { ...AS_LEFT, pieces: removedByEdits };
  return [...newest(order, removedByEdits).map((without) => ({ ...all, without })), all, ...partly(order, removedByEdits, owed), AS_LEFT];
}

// Pieces of other VAT rates that are worth as much leave open which ones the money is for.
function exactly(order: ShopifyOrder, removedByEdits: readonly RemovedUnits[], owed: bigint): Restoration[] {
  const choices = choicesOf(removedByEdits).filter((choice) => worthOf(choice) === owed);
  const [pieces] = choices;
  const kinds = new Set(choices.map((choice) => moneyByRate(order, choice)));
  return pieces === undefined || kinds.size > 1 ? [] : [{ ...AS_LEFT, pieces }];
}

function partly(order: ShopifyOrder, removedByEdits: readonly RemovedUnits[], owed: bigint): Restoration[] {
  const cut = worthOf(removedByEdits) - owed;
  const rates = new Set(rated(order, removedByEdits).map(({ rate }) => rate));
  if (cut <= 0n || rates.size > 1) return [];
  let rest = cut;
  const parts = removedByEdits.map((piece) => {
    const off = smaller(rest, piece.amount);
    rest -= off;
    return { piece, off };
  });
  const back = parts.filter(({ piece, off }) => off < piece.amount);
  const cuts = back.filter(({ off }) => off > 0n).map(({ piece, off }) => ({ ...piece, quantity: 0, amount: off }));
  return [{ ...AS_LEFT, pieces: back.map(({ piece }) => piece), cut: cuts }];
}

/** The items that may be new: the last one, the last two … by their ids, which rise. More than this were not added at once. */
const MOST_ADDED = 5;

function newest({ line_items }: ShopifyOrder, removedByEdits: readonly RemovedUnits[]): ReadonlySet<string>[] {
  const left = line_items.filter(({ id }) => !removedByEdits.some(({ lineId }) => lineId === id)).map(({ id }) => id);
  const ids = left.toSorted((a, b) => Number(BigInt(b) - BigInt(a)));
  return ids.slice(0, MOST_ADDED).map((_, nth) => new Set(ids.slice(0, nth + 1)));
}

function moneyByRate(order: ShopifyOrder, pieces: readonly RemovedUnits[]): string {
  const byRate = Map.groupBy(rated(order, pieces), ({ rate }) => rate);
  return [...byRate]
    .map(([rate, same]) => `${rate}: ${sum(same.map(({ amount }) => amount))}`)
    .sort()
    .join();
}

function rated({ line_items, shipping_lines }: ShopifyOrder, pieces: readonly RemovedUnits[]): { rate: bigint; amount: bigint }[] {
  return [...line_items, ...shipping_lines].flatMap(({ id, tax_lines }) =>
    pieces.filter(({ lineId }) => lineId === id).map(({ amount }) => ({ rate: rateOf(tax_lines), amount })),
  );
}

/** More things than this are only looked at alone and all together. */
const MOST = 10;

/** Every choice of at least one thing, those of the first things first. */
export function choicesOf<Thing>(things: readonly Thing[]): Thing[][] {
  if (things.length > MOST) return [...things.map((thing) => [thing]), [...things]];
  const masks = Array.from({ length: 2 ** things.length - 1 }, (_, index) => index + 1);
  return masks.map((mask) => things.filter((_, nth) => (mask >> nth) % 2 === 1));
}
