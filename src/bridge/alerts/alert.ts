import { z } from 'zod';
import { instantText } from '../../contract/local-text.ts';

const level = z.enum(['failing', 'attention']);

/** A failed check of the health status, as it is reported: without buyers, with the names of stores. `subject` is '' if it concerns the whole. */
export const reportedCheck = z.object({
  code: z.string(),
  subject: z.string(),
  level,
  count: z.number().nullable(),
  total: z.string().nullable(),
  since: z.string().nullable(),
  words: z.string(),
  verb: z.string().nullable(),
  /** How many stores have this one cause; absent: it was seen of one. */
  stores: z.int().optional(),
});
export type ReportedCheck = z.output<typeof reportedCheck>;

/** `beganAt`: when it was seen first; `endedAt`: since when it is not seen any more, null: it lasts. Instants are ISO text. */
const reportedIncident = reportedCheck.extend({ beganAt: z.string(), endedAt: z.string().nullable() });
export type ReportedIncident = z.output<typeof reportedIncident>;

const health = z.enum(['ok', 'attention', 'failing']);

/** What an alert says. `threads`: ids of the alerts that raised what it tells of, which mails refer to. */
export const alertBody = z.discriminatedUnion('what', [
  z.object({
    what: z.literal('alert'),
    health,
    at: z.string(),
    raised: z.array(reportedIncident),
    still: z.array(reportedIncident),
    resolved: z.array(reportedIncident),
    threads: z.array(z.string()),
  }),
  z.object({
    what: z.literal('digest'),
    health,
    at: z.string(),
    /** The day that is counted, of Europe/Sofia. */
    day: z.string(),
    counts: z.object({ recorded: z.int(), removed: z.int(), refused: z.int(), review: z.int(), unconfirmed: z.int() }),
    failedChecks: z.array(reportedCheck),
  }),
  z.object({ what: z.literal('test'), at: z.string() }),
]);
export type AlertBody = z.output<typeof alertBody>;
export type IncidentAlert = Extract<AlertBody, { what: 'alert' }>;
export type Digest = Extract<AlertBody, { what: 'digest' }>;

export const ALERT_KINDS = ['raised', 'resolved', 'digest', 'test'] as const;

/** `raised` has what is new, worse, or still there after a day; `resolved` alone has nothing but ends. */
export type AlertKind = (typeof ALERT_KINDS)[number];

/** One message to one channel. A receiver that gets it twice knows it by its `id`. */
export type AlertMessage = { id: string; channel: string; kind: AlertKind; body: AlertBody };

/** An incident that is followed. Instants are ISO text. */
export type KnownIncident = {
  failedCheck: ReportedCheck;
  beganAt: string;
  /** When it was seen last. */
  seenAt: string;
  /** Since when it is not seen; null: it was there at the last look. */
  goneAt: string | null;
  /** When it was reported first; null: it was not. */
  raisedAt: string | null;
  /** When it was reported last, and as what. */
  reportedAt: string | null;
  reportedLevel: ReportedCheck['level'] | null;
  /** Subjects of its members, such as ids of stores, of which it was reported since the last day's message; empty: it is of one. */
  reportedMembers: string[];
  /** When its end was reported; null: it was not. It is remembered for a day, in case it comes back. */
  resolvedAt: string | null;
  /** How often it came back within a day of its end. */
  relapses: number;
  /** The alert that raised it. */
  thread: string | null;
};

/** The key of an incident: alerts tell failed checks apart by code and subject. */
export function keyOfCheck({ code, subject }: Pick<ReportedCheck, 'code' | 'subject'>): string {
  return `${code}\n${subject}`;
}

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

/** Each mail address is a channel of its own; `place`: from 0. */
export function mailChannelName(place: number): string {
  return place === 0 ? 'mail' : `mail-${place + 1}`;
}
