/** What a form of a month's page does; it is the end of its address. */
export type MonthAct = 'make' | 'checked' | 'mail' | 'filed' | 'number' | 'accepted' | 'rejected' | 'nothing';

/** A box that only stands where somebody was asked to tick it. */
export type Box = 'withoutOutstanding' | 'asIs' | 'now';

/** A form that was sent and not done: what was typed is shown again. `field`: what is wrong; null: it is not about a field. `box`: it is done if that is ticked. */
export type Tried = { act: MonthAct; values: Readonly<Record<string, string>>; problem: string; field: string | null; box: Box | null };

/** Why something was not done. `invalid`: what was typed makes no sense; else the month's state does not allow it. */
export type Problem = { problem: string; field?: string; box?: Box; isInvalid?: true };
