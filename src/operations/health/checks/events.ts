import { listEndpoints } from '../../../bridge/ledger/events/endpoint-store.ts';
import { counted } from '../../../contract/plural.ts';
import { type Check, type CheckAction, type Codes, failedBy } from '../check.ts';
import type { FailedCheck } from '../health-status.ts';

const endpoint = ({ subject }: Pick<FailedCheck, 'subject'>): CheckAction => ({
  ...{ label: 'endpoint', path: `/console/destinations/events/${subject ?? ''}`, right: 'queues.see' },
});

export const codes = {
  'events.disabled': {
    level: 'attention',
    what: 'events',
    en: 'Events are sent no more to a program: it took none for three days, or answered that it is gone.',
    bg: 'До програма вече не се изпращат събития: три дни не ги приема или е отговорила, че я няма.',
    isWrong: true,
    action: endpoint,
  },
  'events.failing': {
    level: 'attention',
    what: 'events',
    en: 'A program has not taken events for an hour; they are retried for three days.',
    bg: 'Програма не приема събития от час; опитите продължават три дни.',
    isWrong: true,
    action: endpoint,
  },
} as const satisfies Codes;

const failed = failedBy(codes);
const HOUR_MS = 3_600_000;

/** Endpoints of events that take none. */
export const eventCheck: Check = {
  name: 'events',
  codes: ['events.disabled', 'events.failing'],
  async read({ pool, now }) {
    return (await listEndpoints(pool)).flatMap(({ id, url, disabledAt, disabledAs, failingSince, waiting, givenUp }) => {
      const { host } = new URL(url);
      if (disabledAt !== null) {
        const why = disabledAs === 'gone' ? 'it answered 410' : 'it took an event for three days not';
        const words = `${host}: ${why}; ${counted.en(givenUp, 'event was', 'events were')} not delivered, and no more are written until \`orderbridge events enable ${id}\``;
        return [failed('events.disabled', { subject: id, since: disabledAt, count: givenUp, words, verb: `events enable ${id}` })];
      }
      if (failingSince === null || now - Date.parse(failingSince) < HOUR_MS) return [];
      const words = `${host} has not taken an event since ${failingSince}, and ${counted.en(waiting, 'event waits', 'events wait')}; after three days it is disabled`;
      return [failed('events.failing', { subject: id, since: failingSince, count: waiting, words, verb: `events list ${id}` })];
    });
  },
};
