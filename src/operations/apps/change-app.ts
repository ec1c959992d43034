import type { AppStore, AppUsers } from '../../bridge/ledger/app-store.ts';
import type { Said } from '../../platform/trail/trail.ts';
import { rotated } from '../connections/rotate-secret.ts';
import { Refusal } from '../refusal.ts';
import { type FindApps, knownApp, type NamedApp, unknownApp } from './known-app.ts';

type RotateDeps = FindApps & { apps: Pick<AppStore, 'changeSecrets'> };

/** `revokeNow`: the old secret has leaked. */
export type AppRotation = NamedApp & { secret: string; revokeNow: boolean };

/** Takes a new secret of an app; the old ones stay live for a day, or end now. Returns until when (null: they are refused from now on). */
export async function rotateAppSecret({ apps }: RotateDeps, { secret, revokeNow, ...named }: AppRotation, said: Said): Promise<{ oldUntil: string | null }> {
  const { id, platform } = await knownApp({ apps }, named);
  const { secrets, oldUntil } = rotated({ platform }, { secret, revokeNow });
  if ((await apps.changeSecrets(id, secrets, said)) === null) throw unknownApp(named);
  return { oldUntil };
}

type RemoveDeps = FindApps & { apps: Pick<AppStore, 'remove'> };

/** Forgets an app and its secrets: nothing is taken at its address any more. Refuses while live connections came by it. */
export async function removeApp({ apps }: RemoveDeps, named: NamedApp, said: Said): Promise<void> {
  const { id } = await knownApp({ apps }, named);
  const done = await apps.remove(id, said);
  if (done === null) throw unknownApp(named);
  if ('usedBy' in done) throw used(id, done.usedBy);
}

function used(id: string, users: AppUsers): Refusal {
  return new Refusal(
    'conflict',
    {
      en: `${users.length === 1 ? '1 connected store' : `${users.length} connected stores`} came by the app ${id}, and would neither be heard nor read without it`,
      bg: `${users.length === 1 ? '1 свързан магазин е дошъл' : `${users.length} свързани магазина са дошли`} чрез приложение ${id} и без него не може да се чуват и четат`,
    },
    {
      advice: {
        en: '`orderbridge disconnect` each of them first, or connect it in another way with `orderbridge reconnect`',
        bg: 'първо `orderbridge disconnect` за всеки от тях или друг начин на свързване с `orderbridge reconnect`',
      },
      choices: { header: ['name', 'connection'], rows: users.map(({ id: connection, name }) => [name, connection]) },
    },
  );
}
