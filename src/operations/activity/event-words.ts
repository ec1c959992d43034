import { BRIDGE_TRAIL, bridgeActs } from '../../bridge/ledger/bridge-acts.ts';
import type { RecentEvent } from '../../bridge/ledger/recent-events.ts';
import { READ_TOPIC } from '../../bridge/reconciliation/read-page.ts';
import { ownValue } from '../../contract/own-value.ts';
import { serviceActs } from '../../service/trail/service-acts.ts';

/** What happened in a few words, without buyers. */
export function eventWords(happened: RecentEvent): string {
  switch (happened.of) {
    case 'delivery':
      return deliveryWords(happened);
    case 'refusal':
      return `${webhook(happened)} refused: ${happened.code}`;
    case 'step':
      return stepWords(happened);
    case 'sync':
      return happened.failed ? 'the store could not be read' : `the store was read (${happened.kind}): ${happened.seen} listed, ${happened.handed} handed on`;
    case 'act':
      return actWords(happened);
  }
}

type Of<Kind extends RecentEvent['of']> = Extract<RecentEvent, { of: Kind }>;

function deliveryWords({ topic, outcome, code, state }: Of<'delivery'>): string {
  const came = topic === READ_TOPIC ? 'read from the store' : `${webhook({ topic })} accepted`;
  return `${came}: ${outcome}${code === null ? '' : ` as ${code}`}${state === null ? '' : `, the order is ${state}`}`;
}

/** Of some platforms the body alone says what it is about. */
function webhook({ topic }: { topic: string }): string {
  return topic === '' ? 'webhook' : `webhook ${topic}`;
}

function stepWords({ kind, outcome, status, complianceId }: Of<'step'>): string {
  if (outcome === null) return `${kind} submitted`;
  return `${kind}: ${outcome}${status === null ? '' : ` (${status})`}${complianceId === null ? '' : `, ${complianceId}`}`;
}

const asked = /^order\.(needs-review|unconfirmed|review-ended)$/;

function actWords({ key, act, who, subject, after }: Of<'act'>): string {
  const means = (ownValue(key.startsWith(BRIDGE_TRAIL.schema) ? bridgeActs : serviceActs, act) ?? act).replace(/\.$/, '');
  const code = asked.test(act) && after !== null && typeof after === 'object' && 'code' in after ? `: ${String(after.code)}` : '';
  return `${means}${code}${subject === null ? '' : ` (${subject})`}, by ${who}`;
}
