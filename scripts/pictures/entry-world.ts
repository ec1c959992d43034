import { offerSetupLink, passwordLink, signInLink } from '../../src/operations/people/links.ts';
import { signIn } from '../../test/support/console/signed-in.ts';
import { startOwnPostgres } from '../../test/support/servers/own-postgres.ts';
import { Bridge } from '../../test/support/worlds/bridge.ts';
import type { Shot } from './shots.ts';

/** Pages that the demo never shows: those before somebody is signed in, and those of what is broken. */
export async function pictureEntry(picture: (shot: Shot) => Promise<void>): Promise<void> {
  await using postgres = await startOwnPostgres();
  // Without workers: nothing is at work as the database goes.
  await using bridge = await Bridge.start({ databaseUrl: postgres.url, role: 'console' });
  const { core, url } = bridge.app;
  await picture({ name: 'setup', url: `${url}${await offerSetupLink(core)}`, cookie: null });
  const { person, cookie } = await signIn(bridge, { email: 'maria@shop.example', name: 'Maria' });
  await picture({ name: 'sign-in', url: `${url}/console/sign-in`, cookie: null });
  await picture({ name: 'choose-password', url: `${url}${await passwordLink(core, person)}`, cookie: null });
  const mailed = await signInLink(core, { email: person.email, to: '/console' });
  await picture({ name: 'enter', url: `${url}${mailed?.path}`, cookie: null });
  await core.pool.query('alter table acts rename to away');
  await picture({ name: 'failed', url: `${url}/console/activity`, cookie });
  await postgres.stop();
  await picture({ name: 'database-away', url: `${url}/console`, cookie: null });
  await postgres.start();
}
