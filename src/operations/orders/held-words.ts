import type { OrderHold } from '../../bridge/ledger/order-holds.ts';
import type { Lang } from '../../contract/said.ts';
import { pauseReason } from '../connections/pause-words.ts';
import { codeWords } from '../words/code-words.ts';

/** Why a queued order is not sent: “held: the compliance service does not know this shop since …”. */
export function heldWords(hold: OrderHold, lang: Lang = 'en'): string {
  if (lang === 'bg') return `задържана от ${hold.since}: ${codeWords(hold.code, lang).means.replace(/\.$/, '')}`;
  return `held: ${pauseReason(hold)} since ${hold.since}`;
}
