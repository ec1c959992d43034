import { listEndpoints } from '../../../bridge/ledger/events/endpoint-store.ts';
import { counted } from '../../../contract/plural.ts';
import { type Check, type Codes, failedBy } from '../check.ts';

export const codes = {
  'events.disabled': {
    level: 'attention',
    what: 'events',
    en: 'We stopped sending events to a program: it accepted none for three days, or said it is gone.',
    bg: 'До програма вече не се изпращат събития: три дни не прие събитие или отговори, че я няма.',
    isWrong: true,
    action: ({ subject }) => ({ label: 'endpoint', path: `/console/destinations/events/${subject ?? ''}`, right: 'queues.see' }),
  },
} as const satisfies Codes;

const failed = failedBy(codes);

/** Endpoints of events that are disabled. */
export const eventCheck: Check = {
  name: 'events',
  codes: ['events.disabled'],
  async read({ pool }) {
    return (await listEndpoints(pool)).flatMap(({ id, url, disabledAt, disabledAs, waiting: count }) => {
      if (disabledAt === null) return [];
      const why = disabledAs === 'gone' ? 'it answered 410' : 'it accepted no event for three days';
      const words = `${new URL(url).host}: ${why}; ${counted.en(count, 'event waits', 'events wait')} for it, and no more are written until \`orderbridge events enable ${id}\``;
      return [failed('events.disabled', { subject: id, since: disabledAt, count, words, verb: `events enable ${id}` })];
    });
  },
};
