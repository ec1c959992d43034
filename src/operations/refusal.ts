/**
 * invalid: what was asked for makes no sense. missing: there is no such thing. conflict: it is in another state than that takes.
 * unavailable: something is down. misconfigured: a setting keeps it from being done.
 */
export type RefusalKind = 'invalid' | 'missing' | 'conflict' | 'unavailable' | 'misconfigured';

/** What a person may choose from. */
type Choices = { header: readonly string[]; rows: readonly (readonly (string | null)[])[] };

/** What a person asked for can't be done, in a sentence. The command line makes an exit code of its kind, a page a status. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly kind: RefusalKind;
  /** What is wrong, without the advice. */
  readonly what: string;
  readonly choices: Choices | null;

  /** `advice` is what to type; a page that has a button for it leaves it out. */
  constructor(kind: RefusalKind, what: string, { advice, choices }: { advice?: string; choices?: Choices } = {}) {
    super(advice === undefined ? what : `${what}; ${advice}`);
    this.kind = kind;
    this.what = what;
    this.choices = choices ?? null;
  }
}
