import { instantText } from '../../contract/local-text.ts';
import type { AlertBody, Digest, IncidentAlert, ReportedCheck, ReportedIncident } from './alert.ts';

/** `statusUrl`: the page that shows the health status; null: no address is known. */
export type WordsOptions = { statusUrl: string | null };

/** Lines that belong together; the first may be a heading. */
type Paragraph = string[];

/** An alert as people read it: plain text, the same in a mail and in a chat. */
export type AlertText = { subject: string; paragraphs: Paragraph[] };

export function alertText(body: AlertBody, { statusUrl }: WordsOptions): AlertText {
  const last = ['All that is not right, and what to type: orderbridge status', ...(statusUrl === null ? [] : [statusUrl])];
  switch (body.what) {
    case 'alert':
      return { subject: `orderbridge: ${alertSubject(body)}`, paragraphs: [...alertParagraphs(body), last] };
    case 'digest':
      return { subject: `orderbridge: ${HEALTH[body.health]} (summary of ${body.day})`, paragraphs: [...digestParagraphs(body), last] };
    case 'test':
      return { subject: 'orderbridge: a test', paragraphs: [['This is a test of `orderbridge alerts test`: alerts arrive here.'], last] };
  }
}

const HEALTH = { ok: 'all is well', attention: 'something needs attention', failing: 'orders are not recorded, or a term is past' } as const;

const MOST_SUBJECT = 160;

function alertSubject({ raised, still, resolved }: IncidentAlert): string {
  const [of = [], word = ''] = [[raised, ''] as const, [still, 'still: '] as const, [resolved, 'over: '] as const].find(([list]) => list.length > 0) ?? [];
  const [first] = of;
  const more = of.length > 1 ? ` (and ${of.length - 1} more)` : '';
  const words = first?.words ?? '';
  const short = words.length > MOST_SUBJECT ? `${words.slice(0, MOST_SUBJECT)}…` : words;
  return `${word}${word === 'over: ' || first === undefined ? '' : `${first.level}: `}${short}${more}`;
}

function alertParagraphs({ health, raised, still, resolved }: IncidentAlert): Paragraph[] {
  return [...section('New, or worse than before:', raised), ...section('Still there:', still), ...section('Over:', resolved), [`Now: ${HEALTH[health]}.`]];
}

function section(heading: string, incidents: readonly ReportedIncident[]): Paragraph[] {
  return incidents.length === 0 ? [] : [[heading], ...incidents.map(incidentLines)];
}

function incidentLines(incident: ReportedIncident): Paragraph {
  const { beganAt, endedAt, since } = incident;
  if (endedAt !== null) return [`- ${incident.words}`, `  It was seen from ${clock(beganAt)} until ${clock(endedAt)}.`];
  return [...checkLines(incident), `  Since ${clock(since ?? beganAt)}.`];
}

function checkLines({ level, words, count, total, verb }: ReportedCheck): Paragraph {
  const sum = total === null ? '' : `, ${total}`;
  const amount = count === null ? '' : ` [${count}${sum}]`;
  return [`- ${level}: ${words}${amount}`, ...(verb === null ? [] : [`  Type: orderbridge ${verb}`])];
}

function digestParagraphs({ day, health, counts, failedChecks }: Digest): Paragraph[] {
  const { recorded, removed, refused, review, unconfirmed } = counts;
  return [
    [`Now: ${HEALTH[health]}.`],
    [
      `On ${day}: ${recorded} records made, ${removed} removed, ${refused} webhooks refused.`,
      `Waiting for a person now: ${review} in review, ${unconfirmed} unconfirmed.`,
    ],
    ...failedChecks.map(checkLines),
  ];
}

/** "22 Nov 2026, 12:41 (Sofia)" */
function clock(instant: string): string {
  return `${instantText(instant, 'en', 'dated')} (Sofia)`;
}
