import { z } from 'zod';

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
