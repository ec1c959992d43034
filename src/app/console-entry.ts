import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { entryMailFailed, entryRefused } from '../bridge/bridge-events.ts';
import { consoleUrl } from '../config/console-url.ts';
import type { Entry, EntryMail, Oidc, RefusedEntry } from '../console/base/console-deps.ts';
import { createPasswords } from '../operations/people/passwords.ts';
import { SignInThrottle } from '../operations/people/sign-in-throttle.ts';
import { openMailTransport } from '../platform/mail/mail-transport.ts';
import { rateLimit } from '../platform/rate-limit.ts';
import { SealBroken } from '../platform/seal.ts';
import type { Core } from './core.ts';
import { identityProvider } from './identity-provider.ts';

const TIMEOUTS = { connect: 10_000, silence: 20_000, whole: 30_000 };
const SHARE = { mostMs: 2_000, keepMs: 4_000 };
const LOGGED_A_MINUTE = 20;

/** How people come into the console. */
export function openEntry(core: Core, resources: AsyncDisposableStack): Entry {
  const now = () => performance.now();
  const write = rateLimit<RefusedEntry>((refused, leftOut) => entryRefused(core.log, { ...refused, leftOut }), { most: LOGGED_A_MINUTE, now });
  const ways = { post: openPost(core, resources), oidc: openOidc(core) };
  return { passwords: createPasswords(), throttle: new SignInThrottle({ now }), url: consoleUrl(core.config), ...ways, onRefused: write };
}

/** Any process that has the key opens what another one sealed. */
const PASSAGE = { table: 'cookie', column: 'oidc', id: '' };

function openOidc({ config, sealer }: Core): Oidc | null {
  const { oidc = null } = config;
  const provider = identityProvider(config);
  if (oidc === null || provider === null) return null;
  const open = (sealed: string) => {
    try {
      return sealer.open(sealed, PASSAGE);
    } catch (thrown) {
      if (thrown instanceof SealBroken) return null;
      throw thrown;
    }
  };
  return { provider, rules: oidc, seal: (text) => sealer.seal(text, PASSAGE), open };
}

/** Null: there is no mail server, or no address that a mail could name. */
function openPost({ config, log, stop }: Core, resources: AsyncDisposableStack): Entry['post'] {
  const { mail, dataDir, trustedHttpHosts } = config;
  if (mail.smtpUrl === null || consoleUrl(config) === null) return null;
  const where = { smtpUrl: mail.smtpUrl.reveal(), from: mail.from, outboxDir: join(dataDir, 'outbox') };
  const transport = openMailTransport({ ...where, trustedHttpHosts, timeouts: TIMEOUTS });
  const send = async (make: () => Promise<EntryMail | null>): Promise<void> => {
    const made = await make();
    if (made === null) return;
    const { to, ...content } = made;
    const { why } = await transport.send({ ...content, to: [to], replyTo: null, senderName: null, html: null, attachments: [], images: [] }, randomUUID());
    if (why !== null) entryMailFailed(log, { why });
  };
  const running = new Set<Promise<void>>();
  resources.defer(() => stop.wait('mails of links', Promise.all(running), SHARE));
  return (make) => {
    const one = send(make)
      .catch((err: unknown) => entryMailFailed(log, { why: 'a fault of ours', err }))
      .finally(() => running.delete(one));
    running.add(one);
  };
}
