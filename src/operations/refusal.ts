import { type LocalizedText, quoted } from '../contract/messages.ts';

/**
 * invalid: the request makes no sense. missing: there is no such thing. conflict: its state does not allow it.
 * unavailable: something is down. misconfigured: a setting prevents it.
 */
export type RefusalKind = 'invalid' | 'missing' | 'conflict' | 'unavailable' | 'misconfigured';

/** A table to choose from. */
type Choices = { header: readonly string[]; rows: readonly (readonly (string | null)[])[] };

/** `advice`: what to do; a plain string: what to type, which the command line alone says. */
type More = { advice?: LocalizedText | string; choices?: Choices };
/** In both languages; `english`, or a plain string: what only the command line can meet, which speaks English. */
type Words = (LocalizedText & More) | ({ english: string } & More) | string;

/** An operation that can't be done, and why, in a sentence. Its kind becomes an exit code of the command line, a status of a page. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly kind: RefusalKind;
  /** The problem, without the advice. */
  readonly what: string;
  readonly said: LocalizedText;
  /** Null: there is none, or it is a command, which stands in the message. */
  readonly advice: LocalizedText | null;
  readonly choices: Choices | null;

  /** The message is English, with the advice, as logs, programs and the command line read it. */
  constructor(kind: RefusalKind, words: Words) {
    const given = typeof words === 'string' ? { english: words } : words;
    const { advice, choices }: More = given;
    const said = 'english' in given ? quoted(given.english) : { en: given.en, bg: given.bg };
    super(advice === undefined ? said.en : `${said.en}; ${typeof advice === 'string' ? advice : advice.en}`);
    this.kind = kind;
    this.what = said.en;
    this.said = said;
    this.advice = typeof advice === 'object' ? advice : null;
    this.choices = choices ?? null;
  }
}
