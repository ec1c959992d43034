import { z } from 'zod';
import { Failure } from '../../order/facts/failure.ts';
import type { OrderNotes } from '../contract.ts';
import { denialOf } from '../store-failure.ts';
import { type Rest, readAnswer, restOf } from './rest.ts';

const listed = z.array(z.object({ note: z.string() }));

const pathOf = (orderId: string) => `orders/${encodeURIComponent(orderId)}/notes`;

/** Null: the store has no such order. */
async function notesOf(rest: Rest, orderId: string): Promise<string[] | null> {
  const answer = await rest.find(`${pathOf(orderId)}?_fields=note&${rest.uncached}`);
  return answer.found ? readAnswer(listed, answer.body).map(({ note }) => note) : null;
}

/** Private notes, which no customer sees and of which no webhook tells. */
export const orderNotes: OrderNotes = {
  async has(access, { orderId, words }, means) {
    const notes = await notesOf(restOf(access, means), orderId);
    return notes === null ? null : notes.some((note) => note.includes(words));
  },
  async write(access, { orderId, text }, means) {
    const rest = restOf(access, means);
    try {
      return (await rest.find({ path: pathOf(orderId), method: 'POST', body: { note: text } })).found ? 'written' : 'gone';
    } catch (thrown) {
      if (!(thrown instanceof Failure) || denialOf(thrown) === null) throw thrown;
      // Who may not even read is refused altogether.
      await notesOf(rest, orderId);
      return { refused: thrown.message };
    }
  },
};
