import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Message } from '../../platform/mail/mail-message.ts';
import type { MailBuilder } from '../../platform/mail/outbox.ts';
import { inTransaction, type Queryable } from '../../platform/postgres/postgres.ts';
import { readRow, readRows, rowsOf } from '../../platform/postgres/read-rows.ts';
import { hashOf } from '../../platform/token-hash.ts';
import { html } from '../../web/html.ts';
import { htmlDocument } from '../../web/html-document.ts';
import { markOf, recipientSays } from '../mail/recipients.ts';
import { queueMail } from '../mail/shop-mails.ts';
import { writeServiceActs } from '../trail/service-acts.ts';
import { type Digester, type LinkDeps, type MonthLink, readLink, shopOfRecipient } from './month-link.ts';

/** The mail with a code, which opens all companies of its recipient in one browser. */
export const CODE_MAIL = 'month-code';

const DIGITS = 8;
const CODE_MINUTES = 15;
const AN_HOUR = 5;
const MOST_TRIES = 5;
/** What a code opened is open for so long. */
export const OPEN_MINUTES = 30;

const codeRows = rowsOf('compliance.link_codes', z.object({ id: z.string(), linkId: z.string() }));

/** `browser`: what it keeps, which nobody can guess. */
type FromBrowser = { browser: string };

/** Mails a code to the recipient of a link, unless enough were mailed to them within an hour. */
export function requestCode({ pool, now }: LinkDeps, { id: linkId, shopId, recipient }: MonthLink, { browser }: FromBrowser): Promise<void> {
  const at = now();
  return inTransaction(pool, async (tx) => {
    // Of two at once the second sees what the first one did.
    await tx.query(`select pg_advisory_xact_lock(hashtextextended('codes ' || $1, 0))`, [recipient]);
    const text = `insert into compliance.link_codes (id, link_id, recipient, browser, made_at)
      select $1, $2, $3, $4, $5 where (select count(*) from compliance.link_codes where recipient = $3 and made_at > $5::timestamptz - interval '1 hour') < ${AN_HOUR}
      returning id, link_id as "linkId"`;
    const made = await readRow(tx, codeRows, { text, values: [randomUUID(), linkId, recipient, hashOf(browser), at] });
    if (made !== null) await queueMail(tx, { kind: CODE_MAIL, ref: { codeId: made.id }, shopId, dedupKey: `${CODE_MAIL}/${made.id}`, now: at });
  });
}

/** It follows from its random id and the key alone: a repeated mail bears the same, and none is stored. */
function codeOf({ digest }: Digester, id: string): string {
  return String(hashOf(digest(`month code ${id}`)).readUIntBE(0, 6) % 10 ** DIGITS).padStart(DIGITS, '0');
}

const LIVES = `made_at > $2::timestamptz - interval '${CODE_MINUTES} minutes'`;
const codeRef = z.object({ codeId: z.string() });

/** It goes to the address of the link, while the code works and the shop names that address. */
export function codeMail(deps: LinkDeps & Pick<Message, 'replyTo'>): MailBuilder {
  return async (ref) => {
    const { codeId } = codeRef.parse(ref);
    const text = `select id, link_id as "linkId" from compliance.link_codes where id = $1 and ${LIVES}`;
    const code = await readRow(deps.pool, codeRows, { text, values: [codeId, deps.now()] });
    const link = code === null ? null : await readLink(deps.pool, code.linkId);
    const reached = link === null ? null : await shopOfRecipient(deps, link, link.shopId);
    if (link === null || reached === null || !(await recipientSays(deps.pool, { shopId: link.shopId, mailbox: markOf(reached.address) })).isOpen) return null;
    return { to: [reached.address], write: async () => message(codeOf(deps.sealing, codeId), { to: [reached.address], replyTo: deps.replyTo }) };
  };
}

function message(code: string, sent: Pick<Message, 'to' | 'replyTo'>): Message {
  const subject = 'Код за месеците на всичките ви фирми';
  const shown = `${code.slice(0, 4)} ${code.slice(4)}`;
  const words = `С този код се отварят месеците на всички фирми, които ги изпращат на този адрес. Важи веднъж, ${CODE_MINUTES} минути, в браузъра, от който е поискан.`;
  const caution = 'Ако не сте го поискали, не правете нищо и не го казвайте на никого.';
  const english = `This code opens the months of all companies that send them to this address: once, for ${CODE_MINUTES} minutes, in the browser that asked for it. If you did not ask for it, do nothing, and tell it to nobody.`;
  const body = html`<p><b>${shown}</b></p>
<p>${words}</p>
<p>${caution}</p>
<p lang="en">${english}</p>`;
  const content = { html: htmlDocument({ lang: 'bg', title: subject, body }).markup, text: `${[shown, words, caution, english].join('\n\n')}\n` };
  return { ...sent, ...content, subject, senderName: null, attachments: [], images: [] };
}

const TRY = `update compliance.link_codes set tries = tries + 1
  where link_id = $1 and ${LIVES} and browser = $3 and tries < ${MOST_TRIES} and opened_until is null returning id, link_id as "linkId"`;

/**
 * What was typed opens all companies of the link's recipient in this browser, for a while. False: it is wrong, or was used, or its time is over, or it was
 * tried too often. Each try counts for every code that this browser waits for.
 */
export function takeCode({ pool, sealing, now }: LinkDeps, link: MonthLink, { browser, typed }: FromBrowser & { typed: string }): Promise<boolean> {
  const at = now();
  return inTransaction(pool, async (tx) => {
    const tried = await readRows(tx, codeRows, { text: TRY, values: [link.id, at, hashOf(browser)] });
    const taken = tried.find(({ id }) => codeOf(sealing, id) === typed.replace(/\D/g, ''));
    if (taken === undefined) return isOpened(tx, link, { browser, at });
    const until = new Date(at.getTime() + OPEN_MINUTES * 60_000);
    await tx.query('update compliance.link_codes set opened_until = $2 where id = $1', [taken.id, until]);
    await writeServiceActs(tx, [{ who: `link:${link.id}`, act: 'link.opened', subject: link.id }]);
    return true;
  });
}

/** Did this browser give a code of this link a while ago at most? */
export async function isOpened(db: Queryable, { id }: MonthLink, { browser, at }: FromBrowser & { at: Date }): Promise<boolean> {
  const text = 'select id, link_id as "linkId" from compliance.link_codes where link_id = $1 and browser = $2 and opened_until > $3 limit 1';
  return (await readRow(db, codeRows, { text, values: [id, hashOf(browser), at] })) !== null;
}
