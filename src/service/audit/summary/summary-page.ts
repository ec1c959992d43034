/** A month's summary as blocks of finished Bulgarian text; the page and the plain text are two ways to set it. */
export type SummaryPage = {
  title: string;
  /** Above the title: what kind of document it is. */
  kind: string;
  shop: { name: string; facts: readonly Fact[] };
  status: Status;
  /** The few figures that everybody looks for. */
  figures: readonly Fact[];
  sections: readonly Section[];
  footer: readonly string[];
};

/** How a status or section is coloured: all is well, something is to be done, something is wrong, or neither. */
export type Tone = 'good' | 'action' | 'problem' | 'quiet';

export type Status = { tone: Tone; label: string; words: string };
export type Fact = { label: string; value: string };
export type Section = { title: string; tone: Tone; blocks: readonly Block[] };

export type Block =
  | { kind: 'words'; words: string }
  | { kind: 'facts'; facts: readonly Fact[] }
  | { kind: 'steps'; steps: readonly Step[] }
  | { kind: 'entries'; entries: readonly Entry[] }
  | { kind: 'table'; columns: readonly Column[]; rows: readonly (readonly string[])[]; foot: readonly string[] | null };

/** `command` is to be typed in a terminal. */
export type Step = { words: string; command: string | null };
/** Something that is wrong: what, with which orders, and what to do. */
export type Entry = { title: string; details: readonly string[]; advice: string };
export type Column = { label: string; numeric: boolean };
