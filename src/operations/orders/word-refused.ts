import type { KeptOrder } from '../../bridge/ledger/kept-order.ts';
import { type NotTaken, whyNotTaken } from '../../bridge/order/may-settle.ts';
import type { SettledAs } from '../../bridge/order/settled.ts';
import { Refusal } from '../refusal.ts';

/** Refuses a person's word about an order that does not wait for it, and says what does. Returns the code that the order waits with. */
export function askedCode(order: KeptOrder, named: string, how: SettledAs) {
  const { state, parked, complianceId, openStep } = order;
  const why = whyNotTaken({ state, code: parked?.code ?? null, complianceId, isStepOpen: openStep !== null }, how);
  if (why !== null || parked === null) throw refusalOf(why ?? 'not-parked', order, named);
  return parked.code;
}

function refusalOf(why: NotTaken, order: KeptOrder, named: string): Refusal {
  const { what, advice } = words[why](order);
  return new Refusal('conflict', `the order ${named} ${what}`, { advice });
}

type Words = (order: KeptOrder) => { what: string; advice: string };

const words: Record<NotTaken, Words> = {
  unconfirmed: ({ id }) => ({
    what: 'is unconfirmed: it is not known whether its record exists',
    advice: `\`orderbridge resolve id:${id} --recorded ID\` or \`--not-recorded\` says it`,
  }),
  'not-parked': ({ id, state }) => ({ what: `is ${state}, not parked: nobody is asked about it`, advice: `\`orderbridge order id:${id}\` shows it` }),
  doubled: ({ id, parked }) => ({
    what: `is recorded twice (${parked?.detail ?? ''})`,
    advice: `delete one of the records at the compliance service (our own: \`orderbridge service orders delete ID\`), then \`orderbridge release id:${id}\``,
  }),
  other: ({ id }) => ({
    what: 'came under the id of another one: first say whether it is a sale of its own',
    advice: `\`orderbridge release id:${id} --other\` if it is, \`--same\` if it is the same sale`,
  }),
  stands: ({ id, complianceId }) => ({
    what: `has the record ${complianceId} at the compliance service, so it is declared as a sale`,
    advice: `\`orderbridge release id:${id} --remove\` deletes that record, \`orderbridge settle id:${id} --recorded ${complianceId}\` leaves it as it is`,
  }),
  'nothing-stands': ({ id }) => ({
    what: 'has no record that could be removed',
    advice: `\`orderbridge settle id:${id} --not-a-sale\` says that it is no sale`,
  }),
  'not-unproven': ({ id, parked, complianceId }) => ({
    what: `is parked as ${parked?.code ?? ''}, not as removal.unproven`,
    advice:
      complianceId === null
        ? `\`orderbridge settle id:${id}\` says what became of it`
        : `\`orderbridge settle id:${id} --recorded ${complianceId}\` leaves its record as it is`,
  }),
};
