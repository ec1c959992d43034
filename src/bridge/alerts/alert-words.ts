import type { AlertBody, Digest, IncidentAlert, ReportedIncident, ReportedReason } from './alert.ts';

/** `statusUrl`: the page that shows the verdict; null: no address is known. */
export type WordsOptions = { statusUrl: string | null };

/** Lines that belong together; the first may be a heading. */
export type Paragraph = string[];

/** An alert as people read it: plain text, the same in a mail and in a chat. */
export type AlertText = { subject: string; paragraphs: Paragraph[] };

export function alertText(body: AlertBody, { statusUrl }: WordsOptions): AlertText {
  const last = ['All that is not right, and what to type: orderbridge status', ...(statusUrl === null ? [] : [statusUrl])];
  switch (body.what) {
    case 'alert':
      return { subject: `orderbridge: ${alertSubject(body)}`, paragraphs: [...alertParagraphs(body), last] };
    case 'digest':
      return { subject: `orderbridge: ${VERDICTS[body.verdict]} (summary of ${body.day})`, paragraphs: [...digestParagraphs(body), last] };
    case 'test':
      return { subject: 'orderbridge: a test', paragraphs: [['This is a test of `orderbridge alerts test`: alerts arrive here.'], last] };
  }
}

const VERDICTS = { ok: 'all is well', attention: 'something needs attention', failing: 'orders are not recorded, or a term is past' } as const;

const MOST_SUBJECT = 160;

function alertSubject({ raised, still, resolved }: IncidentAlert): string {
  const [of = [], word = ''] = [[raised, ''] as const, [still, 'still: '] as const, [resolved, 'over: '] as const].find(([list]) => list.length > 0) ?? [];
  const [first] = of;
  const more = of.length > 1 ? ` (and ${of.length - 1} more)` : '';
  const words = first?.words ?? '';
  const short = words.length > MOST_SUBJECT ? `${words.slice(0, MOST_SUBJECT)}…` : words;
  return `${word}${word === 'over: ' || first === undefined ? '' : `${first.level}: `}${short}${more}`;
}

function alertParagraphs({ verdict, raised, still, resolved }: IncidentAlert): Paragraph[] {
  return [...section('New, or worse than before:', raised), ...section('Still there:', still), ...section('Over:', resolved), [`Now: ${VERDICTS[verdict]}.`]];
}

function section(heading: string, incidents: readonly ReportedIncident[]): Paragraph[] {
  return incidents.length === 0 ? [] : [[heading], ...incidents.map(incidentLines)];
}

function incidentLines(incident: ReportedIncident): Paragraph {
  const { beganAt, endedAt, since } = incident;
  if (endedAt !== null) return [`- ${incident.words}`, `  It was seen from ${clock(beganAt)} until ${clock(endedAt)}.`];
  return [...reasonLines(incident), `  Since ${clock(since ?? beganAt)}.`];
}

function reasonLines({ level, words, count, total, verb }: ReportedReason): Paragraph {
  const sum = total === null ? '' : `, ${total}`;
  const amount = count === null ? '' : ` [${count}${sum}]`;
  return [`- ${level}: ${words}${amount}`, ...(verb === null ? [] : [`  Type: orderbridge ${verb}`])];
}

function digestParagraphs({ day, verdict, counts, reasons }: Digest): Paragraph[] {
  const { recorded, removed, refused, review, unconfirmed } = counts;
  return [
    [`Now: ${VERDICTS[verdict]}.`],
    [
      `On ${day}: ${recorded} records made, ${removed} removed, ${refused} webhooks refused.`,
      `Waiting for a person now: ${review} in review, ${unconfirmed} unconfirmed.`,
    ],
    ...reasons.map(reasonLines),
  ];
}

const inSofia = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Sofia', dateStyle: 'short', timeStyle: 'short' });

/** "2026-11-22 12:41", of Sofia. */
function clock(instant: string): string {
  return `${inSofia.format(new Date(instant))} (Sofia)`;
}
