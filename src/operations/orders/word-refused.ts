import type { KeptOrder } from '../../bridge/ledger/kept-order.ts';
import { type NotTaken, whyNotTaken } from '../../bridge/order/may-settle.ts';
import type { SettledAs } from '../../bridge/order/settled.ts';
import type { Said } from '../../contract/said.ts';
import { Refusal } from '../refusal.ts';
import { stateName } from '../words/state-words.ts';

/** Refuses a person's word about an order that does not wait for it, and says what does. Returns the code that the order waits with. */
export function askedCode(order: KeptOrder, named: string, how: SettledAs) {
  const { state, review, complianceId, openStep } = order;
  const why = whyNotTaken({ state, code: review?.code ?? null, complianceId, isStepOpen: openStep !== null }, how);
  if (why !== null || review === null) throw refusalOf(why ?? 'not-in-review', order, named);
  return review.code;
}

function refusalOf(why: NotTaken, order: KeptOrder, named: string): Refusal {
  const { what, advice } = words[why](order);
  return new Refusal('conflict', { en: `the order ${named} ${what.en}`, bg: `поръчка ${named} ${what.bg}` }, { advice });
}

type Words = (order: KeptOrder) => { what: Said; advice: Said };

const words: Record<NotTaken, Words> = {
  unconfirmed: ({ id }) => ({
    what: { en: 'is unconfirmed: it is not known whether its record exists', bg: 'не е потвърдена: не се знае дали записът ѝ съществува' },
    advice: {
      en: `\`orderbridge resolve id:${id} --recorded ID\` or \`--not-recorded\` says it`,
      bg: `казва се с \`orderbridge resolve id:${id} --recorded ID\` или \`--not-recorded\``,
    },
  }),
  'not-in-review': ({ id, state }) => ({
    what: { en: `is ${state}, not in review: nobody is asked about it`, bg: `не чака човек (${stateName(state, 'bg')}): никой не пита за нея` },
    advice: { en: `\`orderbridge order id:${id}\` shows it`, bg: `\`orderbridge order id:${id}\` я показва` },
  }),
  doubled: ({ id, review }) => ({
    what: { en: `is recorded twice (${review?.detail ?? ''})`, bg: 'е записана два пъти' },
    advice: {
      en: `\`orderbridge delete-record id:${id}\` lists the records, and deletes one of them`,
      bg: `\`orderbridge delete-record id:${id}\` показва записите и изтрива единия от тях`,
    },
  }),
  other: ({ id }) => ({
    what: {
      en: 'came under the id of another one: first say whether it is a sale of its own',
      bg: 'дойде с идентификатора на друга: първо кажете дали е отделна продажба',
    },
    advice: {
      en: `\`orderbridge release id:${id} --other\` if it is, \`--same\` if it is the same sale`,
      bg: `\`orderbridge release id:${id} --other\`, ако е, \`--same\`, ако е същата продажба`,
    },
  }),
  stands: ({ id, complianceId }) => ({
    what: {
      en: `has the record ${complianceId} at the compliance service, so it is declared as a sale`,
      bg: `има запис ${complianceId} в услугата за отчитане и с него е отчетена като продажба`,
    },
    advice: {
      en: `\`orderbridge release id:${id} --remove\` deletes that record, \`orderbridge settle id:${id} --recorded ${complianceId}\` leaves it as it is`,
      bg: `\`orderbridge release id:${id} --remove\` изтрива записа, \`orderbridge settle id:${id} --recorded ${complianceId}\` го оставя, какъвто е`,
    },
  }),
  'nothing-stands': ({ id }) => ({
    what: { en: 'has no record that could be removed', bg: 'няма запис, който да бъде изтрит' },
    advice: {
      en: `\`orderbridge settle id:${id} --not-a-sale\` says that it is no sale`,
      bg: `\`orderbridge settle id:${id} --not-a-sale\` казва, че не е продажба`,
    },
  }),
  'not-unproven': ({ id, review, complianceId }) => ({
    what: { en: `needs review as ${review?.code ?? ''}, not as removal.unproven`, bg: `чака човек заради ${review?.code ?? ''}, а не заради removal.unproven` },
    advice:
      complianceId === null
        ? { en: `\`orderbridge settle id:${id}\` says what became of it`, bg: `\`orderbridge settle id:${id}\` казва какво е станало с нея` }
        : {
            en: `\`orderbridge settle id:${id} --recorded ${complianceId}\` leaves its record as it is`,
            bg: `\`orderbridge settle id:${id} --recorded ${complianceId}\` оставя записа ѝ, какъвто е`,
          },
  }),
};
