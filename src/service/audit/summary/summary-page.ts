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
export type Tone = 'good' | 'action' | 'problem' | 'quiet';

export type Status = { tone: Tone; label: string; words: string };
export type Fact = { label: string; value: string };
export type Section = { title: string; tone: Tone; blocks: readonly Block[] };

export type Block =
  | { kind: 'words'; words: string }
  | { kind: 'link'; words: string; href: string }
  | { kind: 'facts'; facts: readonly Fact[] }
  | { kind: 'steps'; steps: readonly Step[] }
  | { kind: 'entries'; entries: readonly Entry[] }
  | { kind: 'table'; columns: readonly Column[]; rows: readonly (readonly string[])[]; foot: readonly string[] | null };

/** `command` is to be typed in a terminal. */
export type Step = { words: string; command: string | null };
/** A problem: what is wrong, the orders concerned, and what to do. */
export type Entry = { title: string; details: readonly string[]; advice: string };
export type Column = { label: string; numeric: boolean };
