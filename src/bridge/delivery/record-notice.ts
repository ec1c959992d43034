import { SCOPES_WARNING, TOPIC_MISMATCH_WARNING } from '../connections/connection.ts';
import type { Problem } from '../order/failure.ts';
import type { Notice } from '../storefronts/contract.ts';
import { storefrontOf } from '../storefronts/storefront-of.ts';
import type { AcceptedDelivery } from './jobs.ts';
import { whoseNotice } from './other-host.ts';
import type { NotedDelivery, Other, RecordDeps } from './record-deliveries.ts';

/** A delivery about the connection, or that can't be read: it counts only if it is the store's. */
export async function recordNotice(deps: RecordDeps, other: Other, notice: Notice): Promise<void> {
  const { connection, delivery } = other;
  const storefront = storefrontOf(deps.storefronts, connection.platform);
  const whose = await whoseNotice({ storefront, connection, delivery }, (unknown) => deps.ledger.admit(unknown));
  if (whose.is === 'ours') return recordOwn(deps, other, notice);
  if (whose.is === 'unknown') return noteUnknownHost(deps, { delivery, notice, host: whose.host });
}

async function recordOwn({ ledger, uninstalled }: RecordDeps, { connection, delivery }: Other, notice: Notice): Promise<void> {
  switch (notice.kind) {
    case 'warning': {
      const { warning, isTopicMismatch, isPrivate } = notice;
      await ledger.warn(connection.id, isTopicMismatch === true ? TOPIC_MISMATCH_WARNING : 'delivery', warning);
      return ledger.note({ delivery: isPrivate === true ? { ...delivery, body: null } : delivery, outcome: 'warning', code: null, detail: warning });
    }
    case 'closed': {
      const isClosed = (await uninstalled(delivery)) === 'closed';
      return ledger.note({ delivery, outcome: isClosed ? 'closed' : 'ignored', code: null, detail: isClosed ? UNINSTALLED : LET_IN });
    }
    case 'granted':
      return noteGranted(ledger, { connection, delivery }, notice.warning);
    case 'privacy': {
      const store = connection.store ?? (await ledger.pinStore(connection.id, notice.store ?? delivery.store ?? connection.name));
      await ledger.privacy({ connection, store, request: notice.request, arrivedAt: delivery.arrivedAt });
      return ledger.note({ delivery: { ...delivery, body: null }, outcome: 'privacy', code: null, detail: notice.request.action });
    }
    case 'unreadable':
      return ledger.note(review(delivery, notice.problems));
  }
}

const UNINSTALLED = 'the store uninstalled the app';
const LET_IN = 'the store still lets the app in: it was uninstalled earlier, and this came after it was installed again';

async function noteGranted(ledger: RecordDeps['ledger'], { connection, delivery }: Other, warning: string | null): Promise<void> {
  if (warning === null) await ledger.endWarning(connection.id, SCOPES_WARNING);
  else await ledger.warn(connection.id, SCOPES_WARNING, warning);
  const detail = warning ?? 'the app may do all that is needed';
  return ledger.note({ delivery, outcome: warning === null ? 'ignored' : 'warning', code: null, detail });
}

type Foreign = { delivery: AcceptedDelivery; notice: Notice; host: string };

/** Nothing happens to the connection or to anybody's data; what came is noted with its host, so that a person can say whose it is. */
async function noteUnknownHost({ ledger }: RecordDeps, { delivery, notice, host }: Foreign): Promise<void> {
  if (notice.kind === 'unreadable') return ledger.note(review(delivery, notice.problems, `of the host ${host}, which is not known as the store’s: `));
  const detail = `${whatCame(notice)} of the host ${host}, which is not known as the store’s, was left alone`;
  if (notice.kind !== 'warning')
    await ledger.warn(delivery.connectionId, TOPIC_MISMATCH_WARNING, `store.other: ${detail}. ${todo(delivery.connectionId, host)}`);
  return ledger.note({ delivery: { ...delivery, body: null }, outcome: 'warning', code: 'store.other', detail });
}

function review(delivery: AcceptedDelivery, problems: readonly [Problem, ...Problem[]], whose = ''): NotedDelivery {
  return { delivery, outcome: 'review', code: problems[0].code, detail: `${whose}${problems.map(({ detail }) => detail).join('; ')}` };
}

function whatCame({ kind }: Exclude<Notice, { kind: 'unreadable' }>): string {
  if (kind === 'closed') return 'word that the app was uninstalled';
  if (kind === 'granted') return 'word of what the app may do';
  return kind === 'privacy' ? 'a privacy request' : 'an error instead of an order';
}

function todo(connectionId: string, host: string): string {
  return (
    `If the store moved there: \`orderbridge reconnect ${connectionId} --moved ${host}\`, and send it again. If not, someone may be repeating a captured ` +
    'webhook: make a new secret, and give it with `orderbridge rotate-secret`.'
  );
}
