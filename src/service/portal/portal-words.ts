import type { StoredVersion } from '../audit/month/read-versions.ts';
import type { MonthSituation } from '../audit/summary/month-summary.ts';

/** A language of the pages. */
export type Lang = 'bg' | 'en';

/** What a person can say of a month, or ask for. */
export const ACTS = ['filed', 'rejected', 'again', 'nothing'] as const;
export type ActName = (typeof ACTS)[number];

/** A field of a form. */
export type FormField = 'version' | 'incomingNumber' | 'filedOn' | 'words' | 'note';

/** Why nothing was done. Days are "2026-11-12", moments ISO 8601. */
export type ActRefusal =
  | {
      why:
        | 'no-file'
        | 'already'
        | 'not-filed'
        | 'too-late'
        | 'has-orders'
        | 'has-file'
        | 'not-ended'
        | 'making'
        | 'filed'
        | 'blocked'
        | 'empty'
        | 'too-often'
        | 'no-shop'
        | 'not-ours'
        | 'has-returns'
        | 'test-shop';
    }
  | { why: 'outstanding'; orders: number }
  | { why: 'outdated'; version: number; changes: number }
  | { why: 'waiting'; until: string }
  | { why: 'wrong-day'; first: string; last: string }
  | { why: 'unreadable'; field: FormField };

/** A page that says one thing. */
export type PlainPage = { title: string; words: readonly string[] };

/** All words of the pages in one language. A word that a language lacks does not compile. */
export type PortalWords = {
  lang: Lang;
  month(month: string): string;
  day(day: string): string;
  moment(at: string): string;
  ways: { label: string; month: string; all: string; other: string };
  states: Readonly<Record<MonthSituation['kind'], string>>;
  /** In place of a state: the file lacks changes. */
  lacks: string;
  /** The same: paid orders are not recorded, so the file lacks them. */
  incomplete: string;
  /** The same: the file should have been made. */
  overdue: string;
  acts: {
    title: string;
    /** Nothing can be said of the month yet. */
    none: string;
    button: Readonly<Record<ActName, string>>;
    lead: Readonly<Record<ActName, string>>;
    heading: Readonly<Record<ActName, string>>;
    /** The form of a month that is filed; and of one with returns alone, in place of nothing to file. */
    correct: { heading: string; lead: string; button: string };
    returns: { heading: string; lead: string; button: string };
    fields: Readonly<Record<FormField, string>>;
    versionOf(version: Pick<StoredVersion, 'version' | 'createdAt'>): string;
    withoutOutstanding: string;
    asIs: string;
    optional: string;
  };
  done: { label: string; words: Readonly<Record<ActName, string>>; facts: { filedOn: string; incomingNumber: string; rejectedWords: string; nothing: string } };
  refused: { label: string; words(refusal: ActRefusal): string };
  files: {
    title: string;
    lead: string;
    version: string;
    madeOn: string;
    size: string;
    contents: string;
    xml: string;
    csv: string;
    summary: string;
    filed: string;
    none: string;
  };
  skipped: { title: string; lead: string; from: string; to: string; on: string; why: string; more(hidden: number): string };
  list: { title: string; lead: string; month: string; state: string; orders: string; term: string; open: string; none: string; more: string };
  /** Above what is in Bulgarian alone; null: everything is. */
  bulgarianOnly: string | null;
  pages: Readonly<Record<'unknown' | 'expired' | 'renewed' | 'tooMany' | 'foreignForm' | 'method' | 'failed', PlainPage>>;
  renew: string;
};
