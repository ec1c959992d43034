import { z } from 'zod';
import { shownCode } from '../../contract/mail-words.ts';
import { isOpenByCode, liveCode, type MailCodes, makeCode, takeMailedCode } from '../../platform/mail/mailed-codes.ts';
import type { MailBuilder } from '../../platform/mail/outbox.ts';
import { hashOf } from '../../platform/token-hash.ts';
import { queueMail } from '../mail/shop-mails.ts';
import { writeServiceActs } from '../trail/service-acts.ts';
import { letterOf, openLink } from './link-mail.ts';
import type { LinkDeps, MonthLink } from './month-link.ts';

/** The mail with a code, which opens all companies of its recipient in one browser. */
export const CODE_MAIL = 'month-code';

const linkCodes: MailCodes = { schema: 'compliance', owner: 'link' };

type Now = Pick<LinkDeps, 'pool' | 'now'>;

function codeOf({ now }: Now, { id, recipient }: MonthLink, browser: string) {
  return { ownerId: id, mailbox: hashOf(recipient), browser, at: now() };
}

/** Mails a code to the recipient of a link, unless enough were mailed to them within an hour. */
export async function requestCode(deps: Now, link: MonthLink, browser: string): Promise<void> {
  const now = deps.now();
  const mail = { kind: CODE_MAIL, shopId: link.shopId, now };
  await makeCode(deps.pool, linkCodes, {
    ...codeOf(deps, link, browser),
    isConfirmed: true,
    mail: (tx, codeId) => queueMail(tx, { ...mail, ref: { codeId }, dedupKey: `${CODE_MAIL}/${codeId}` }),
  });
}

const codeRef = z.object({ codeId: z.string() });

/** It goes to the address of the link, while the code works. */
export function codeMail(deps: Parameters<typeof openLink>[0] & Parameters<typeof letterOf>[0]): MailBuilder {
  return async (ref) => {
    const live = await liveCode(deps.pool, linkCodes, { id: codeRef.parse(ref).codeId, at: deps.now() });
    const to = (live && (await openLink(deps, live.ownerId)))?.address;
    if (live === null || to === undefined) return null;
    const write = async () =>
      letterOf(deps, {
        ...{ to, shop: null, subject: 'Код за месеците на всичките ви фирми' },
        lines: [
          shownCode(live.code),
          'С този код се отварят месеците на всички фирми, които ги изпращат на този адрес. Важи веднъж, 15 минути, в браузъра, от който е поискан.',
          'Ако не сте го поискали, не правете нищо и не го казвайте на никого.',
        ],
        english:
          'This code opens the months of all companies that send them to this address: once, for 15 minutes, in the browser that asked for it. If you did not ask for it, do nothing, and tell it to nobody.',
      });
    return { to: [to], write };
  };
}

/** What was typed opens all companies of the link's recipient in this browser, for a while. False: no matter what is wrong with it. */
export async function takeCode(deps: Now, link: MonthLink, { browser, typed }: { browser: string; typed: string }): Promise<boolean> {
  const isTaken = await takeMailedCode(deps.pool, linkCodes, {
    ...codeOf(deps, link, browser),
    typed,
    async act(tx, { isFirst }) {
      if (isFirst) await writeServiceActs(tx, [{ who: `link:${link.id}`, act: 'link.opened', subject: link.id }]);
      return true;
    },
  });
  return isTaken ?? false;
}

/** Did this browser give a code of this link a while ago at most? */
export function isOpened(deps: Now, link: MonthLink, browser: string): Promise<boolean> {
  return isOpenByCode(deps.pool, linkCodes, codeOf(deps, link, browser));
}
