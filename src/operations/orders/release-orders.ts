import type { Notify } from '../../bridge/delivery/notify.ts';
import { releaseInLedger } from '../../bridge/ledger/release-order.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import type { Actor } from '../../platform/trail/trail.ts';
import { Refusal } from '../refusal.ts';
import { stateName } from '../words/state-words.ts';
import { orderToDo } from './named-order.ts';

type Deps = { pool: Pool; notify: Notify };

/** How many orders in review are decided again. */
export type Released = { released: number };

type Said = { by: Actor; why?: string };

/** Decides again about one order in review, after its cause was put right, or about one that a person settled, as if nothing had been said. */
export async function releaseOrder({ pool, notify }: Deps, named: string, said: Said): Promise<Released> {
  const order = await orderToDo({ pool }, named);
  const { id, state, review } = order;
  if (review?.code === 'order.other') {
    const said = {
      en: `the order ${named} came under the id of another one: say whether it is a sale of its own`,
      bg: `поръчка ${named} дойде с идентификатора на друга: кажете дали е отделна продажба`,
    };
    throw new Refusal('conflict', said, {
      advice: {
        en: `\`orderbridge release id:${id} --other\` if it is, \`orderbridge release id:${id} --same\` if it is the same sale`,
        bg: `\`orderbridge release id:${id} --other\`, ако е, \`orderbridge release id:${id} --same\`, ако е същата продажба`,
      },
    });
  }
  if (state === 'unconfirmed') {
    throw new Refusal('conflict', {
      en: `the order ${named} is unconfirmed: say what became of it with \`orderbridge resolve id:${id}\``,
      bg: `не се знае дали поръчка ${named} е записана: потърсете я в услугата и кажете какво намерихте (\`orderbridge resolve id:${id}\`)`,
    });
  }
  const released = await releaseInLedger(pool, { ...order, ...said });
  if (released.length === 0) {
    throw new Refusal('conflict', {
      en: `the order ${named} is ${state}, not in review: there is nothing to release`,
      bg: `поръчка ${named} не чака човек (${stateName(state, 'bg')}): няма какво да се опитва отново`,
    });
  }
  notify(released);
  return { released: released.length };
}
