import type { Form } from '../base/page.ts';
import { seenOf } from './parts.ts';

/** What a form was made from is not what is there now; `now` is shown beside what was sent. */
export class Stale extends Error {
  readonly sent: string;
  readonly now: string;

  constructor(sent: string, now: string) {
    super('changed meanwhile');
    this.name = 'Stale';
    this.sent = sent;
    this.now = now;
  }
}

/** Throws `Stale` if a form was not made from this value. `words`: what the form says, and what is there now. */
export function mustBeSeen(form: Form, value: unknown, words: { sent: string; now: string }): void {
  if (form.text('seen') !== seenOf(value)) throw new Stale(words.sent, words.now);
}
