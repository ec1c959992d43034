import { decimalsOf, exactMoney, moneyText, parseMoney, shareOut, sum } from '../../../contract/money.ts';
import type { DraftLine } from '../facts/facts.ts';
import type { Problem } from '../facts/failure.ts';
import type { FiscalSettings } from '../facts/settings.ts';
import { GIFT_CARD, type OrderView } from '../facts/view.ts';
import { type MoneyLine, netOf, type Remaining } from './money-line.ts';

type Settings = Pick<FiscalSettings, 'giftCards' | 'giftCardsTakenOff'>;

/** The gift cards that an order sells for money. */
export function soldCards({ lines, currency }: Pick<OrderView, 'lines' | 'currency'>): DraftLine[] {
  return lines.filter(({ giftCard, gross }) => giftCard === true && parseMoney(gross, decimalsOf(currency)) !== 0n);
}

/** A person must say first what the sale of a gift card is. */
export function undecidedCards(view: OrderView, { giftCards }: Settings): Problem[] {
  if (giftCards !== 'review') return [];
  const detail = ({ name, gross }: DraftLine) => `It sells the gift card “${name}” for ${gross} ${view.currency}.`;
  return soldCards(view).map((card) => ({ code: 'gift-card.undecided', detail: detail(card) }));
}

/** What is wrong while gift cards paid a part of the order that should be taken off, and it is not known yet how much; null: nothing. */
export function missingCards({ cards, gateways, total, currency }: OrderView, settings: Settings): Problem | null {
  if (!takesOff(settings) || cards === null || cards.isKnown || isByCardAlone(gateways)) return null;
  const seen = `the payments by gift card seen come to ${cards.paid} ${currency}`;
  return { code: 'total.mismatch', detail: `A gift card paid a part of its ${total} ${currency}, but not all of that is known: ${seen}.` };
}

/**
 * The lines without what gift cards make of them: cards that are no sale are left out, and what was paid by card comes off as a discount, in
 * proportion over all lines. The lines are those that refunds have left.
 */
export function withoutCards(lines: MoneyLine[], view: OrderView, settings: Settings): Remaining {
  const cardIds = new Set(soldCards(view).map(({ id }) => id));
  const sold = settings.giftCards === 'ignore' ? lines.filter(({ id }) => !cardIds.has(id)) : lines;
  const left = sum(sold.map(netOf));
  const paid = takesOff(settings) ? paidByCards(view, left) : 0n;
  if (paid <= 0n) return { lines: sold, problems: [] };
  if (paid < left) return { lines: shareOut(paid, sold, netOf).map(({ item, part }) => ({ ...item, discount: item.discount + part })), problems: [] };
  const detail = `Gift cards paid ${moneyText(paid, view.currency)} of it, but its lines come to ${moneyText(left, view.currency)}.`;
  return { lines: [], problems: paid === left ? [] : [{ code: 'total.mismatch', detail }] };
}

function takesOff({ giftCards, giftCardsTakenOff }: Settings): boolean {
  return giftCardsTakenOff ?? giftCards === 'record';
}

function paidByCards({ cards, gateways, currency }: OrderView, left: bigint): bigint {
  if (isByCardAlone(gateways)) return left;
  return cards === null ? 0n : exactMoney(cards.paid, decimalsOf(currency));
}

function isByCardAlone(gateways: readonly string[]): boolean {
  return gateways.length > 0 && gateways.every((gateway) => gateway === GIFT_CARD);
}
