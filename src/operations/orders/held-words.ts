import type { OrderHold } from '../../bridge/ledger/order-holds.ts';
import { ownValue } from '../../contract/own-value.ts';
import type { Said } from '../../contract/said.ts';
import { pauseReason } from '../connections/pause-words.ts';

/** Why a queued order is not sent: “held: the compliance service does not know this shop since …”. */
export function heldWords(hold: OrderHold): string {
  return `held: ${storeHoldWords(hold)?.en ?? pauseReason(hold)} since ${hold.since}`;
}

/** Null: it does not wait for its store. */
export function storeHoldWords({ code }: Pick<OrderHold, 'code'>): Said | null {
  return ownValue<Said>(waitsForStore, code) ?? null;
}

const waitsForStore = {
  'storefront.unreachable': {
    en: 'its record depends on what the store’s API must say, which gives no answer',
    bg: 'записът зависи от онова, което трябва да каже API на магазина, а той не отговаря',
  },
  'storefront.refused': {
    en: 'its record depends on what the store’s API must say, which refuses us',
    bg: 'записът зависи от онова, което трябва да каже API на магазина, а той отказва достъп',
  },
} as const satisfies Record<string, Said>;
