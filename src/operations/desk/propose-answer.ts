import type { Connection } from '../../bridge/connections/connection.ts';
import { writtenSettings } from '../../bridge/ledger/edit-settings.ts';
import { type Answer, insertProposal } from '../../bridge/ledger/proposal-store.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import type { Actor } from '../../platform/trail/trail.ts';
import { checkedSettings } from '../connections/change-settings.ts';
import { editedSettings } from '../connections/edited-settings.ts';
import { type FindConnection, knownConnection, unknownConnection } from '../connections/known-connection.ts';
import { Refusal } from '../refusal.ts';
import type { AskedGroup } from './asked-group.ts';
import { type Chosen, changesFor, chosenIn } from './chosen-settings.ts';

type Deps = { pool: Pool; connections: FindConnection };

/** `note`: why, for whoever takes or declines it; '' for none. */
export type Proposed = { group: AskedGroup; chosen: readonly Chosen[]; note: string; by: Actor };

const LONGEST_NOTE = 500;

/** Somebody who may not change settings says what the answer is; it counts once somebody who may takes it. An earlier open proposal ends. */
export async function proposeAnswer({ pool, connections }: Deps, { group, chosen, note, by }: Proposed): Promise<string> {
  if (group.settings.length === 0) throw new Refusal('invalid', { en: 'no setting answers this question', bg: 'никоя настройка не отговаря на този въпрос' });
  const connection = await knownConnection(connections, group.connectionId);
  await refuseUnfit(pool, connection, chosen);
  const was = group.settings.map((asked) => answerOf(chosenIn(connection, asked)));
  const about = { answers: chosen.map(({ asked, value, name }) => ({ ...asked, value, name })) };
  return insertProposal(pool, { ...group, answers: chosen.map(answerOf), was, note: note.slice(0, LONGEST_NOTE), who: by, about });
}

/** What could never be taken is not proposed. */
async function refuseUnfit(pool: Pool, connection: Connection, chosen: readonly Chosen[]): Promise<void> {
  const written = await writtenSettings(pool, connection.id);
  if (written === null) throw unknownConnection(connection.id);
  checkedSettings(written, editedSettings(written.settings, changesFor(connection, chosen)));
}

export function answerOf({ value, name }: Chosen): Answer {
  return { value, name };
}
