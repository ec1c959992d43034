/** A month's summary as blocks of finished Bulgarian text, for the page and the plain text. */
export type SummaryPage = {
  title: string;
  /** Above the title: the kind of document. */
  kind: string;
  shop: { name: string; facts: readonly Fact[] };
  status: Status;
  /** The most important figures. */
  figures: readonly Fact[];
  sections: readonly Section[];
  footer: readonly string[];
};

/** The colour of a status or section: all is well, something is to be done, something is wrong, or none of these. */
export type SummaryTone = 'good' | 'action' | 'problem' | 'quiet';

export type Status = { tone: SummaryTone; label: string; words: string };
export type Fact = { label: string; value: string };
export type Section = { id?: string; title: string; tone: SummaryTone; blocks: readonly Block[] };

export type Block =
  | { kind: 'words'; words: string }
  | { kind: 'link'; words: string; href: string }
  | { kind: 'facts'; facts: readonly Fact[] }
  | { kind: 'steps'; steps: readonly SummaryStep[] }
  | { kind: 'entries'; entries: readonly SummaryEntry[] }
  | { kind: 'table'; columns: readonly SummaryColumn[]; rows: readonly (readonly string[])[]; foot: readonly string[] | null };

/** `command` is to be typed in a terminal. */
export type SummaryStep = { words: string; command: string | null };
/** A problem: what is wrong, the orders concerned, and what to do. */
export type SummaryEntry = { title: string; details: readonly string[]; advice: string };
export type SummaryColumn = { label: string; numeric: boolean };

/** The rows that the page of a month shows, so that no more need to be selected. A month of more orders is shown by days. */
export const summaryLimits = { orders: 500, rows: 200 } as const;

/** The same for the body of a mail, which mail programs cut off when it is long. */
export const mailLimits = { orders: 30, rows: 20 } as const;

/** The rows of each list that are shown. */
export type RowLimits = { orders: number; rows: number };
