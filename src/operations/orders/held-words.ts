import type { OrderHold } from '../../bridge/ledger/order-holds.ts';
import { pauseReason } from '../connections/pause-words.ts';

/** Why a queued order is not sent: “held: the compliance service does not know this shop since …”. */
export function heldWords(hold: OrderHold): string {
  return `held: ${pauseReason(hold)} since ${hold.since}`;
}
