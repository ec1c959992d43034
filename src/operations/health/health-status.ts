/** failing: orders of a live connection can't be recorded, or a legal term is past. attention: all else that a person should know of. */
export type Level = 'failing' | 'attention';

/** One thing that is not right. */
export type FailedCheck = {
  /** Of the registry. */
  code: string;
  level: Level;
  /** What it concerns: the id of a connection, destination, shop or queue, a failure code, a month; null: the whole. With `code` it is what alerts are told apart by. */
  subject: string | null;
  /** How many orders, deliveries, mails or months; null: that can't be counted. */
  count: number | null;
  /** Their sum, such as `36.00 EUR`, or `36.00 EUR + 12.00 USD`; null: there is none. */
  total: string | null;
  /** ISO instant of its beginning, or of the oldest order; null: not known. */
  since: string | null;
  /** One sentence for operators, with the names of stores, without buyers. */
  words: string;
  /** The command that mends it, or shows how, without its program's name; null: there is none, and `words` say what to do. */
  verb: string | null;
  /** The cause that it may have in common with other stores, in a few words without names, and the names of its own; absent: it is grouped with none. */
  of?: { cause: string; names: readonly string[] };
  /** Of many stores with one cause: what is wrong with each. */
  members?: readonly FailedCheck[];
};

/** `failedChecks`: the worst first. */
export type HealthStatus = { health: 'ok' | Level; at: string; failedChecks: FailedCheck[] };
