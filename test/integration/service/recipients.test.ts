import { expect, test } from 'vitest';
import { z } from 'zod';
import { readActs } from '../../../src/platform/audit-log/audit-log.ts';
import type { Message } from '../../../src/platform/mail/mail-message.ts';
import { mailboxMark, sayOfMailbox } from '../../../src/platform/mail/mailboxes.ts';
import { readRows, rowsOf } from '../../../src/platform/postgres/read-rows.ts';
import { mailVersion } from '../../../src/service/audit/month/month-outbox.ts';
import { SERVICE_AUDIT_LOG } from '../../../src/service/audit-log/service-acts.ts';
import { shopsOfAddress } from '../../../src/service/links/month-link.ts';
import { askRecipients, keepTypedRecipients, refusedShops, sayOfShop, shopMailboxes } from '../../../src/service/mail/recipients.ts';
import { OWNER, type PortalWorld } from '../../support/worlds/portal-world.ts';
import { sentMails } from '../../support/worlds/sent-mails.ts';
import { useServiceWorlds } from '../../support/worlds/service-worlds.ts';

const worlds = useServiceWorlds();
const BOOKS = 'one@books.example';

const linkIn = (text: string): string => /http:\S+\/months\/[\w-]+/.exec(text)?.[0] ?? '';
const tos = (mails: readonly Message[]) => mails.flatMap(({ to }) => to).sort();
const mailed = ({ server: { pool }, now, shopId }: PortalWorld) =>
  mailVersion(pool, { shopId, month: '2026-10', said: { by: 'cli:test' }, now: new Date(now().getTime() + 3_600_000) });
const typed = (w: PortalWorld, shopId = w.shopId, addresses = [OWNER, BOOKS]) => keepTypedRecipients(w.server.pool, { shopId, addresses, asked: null });

test('S4: recipients whom somebody typed get one mail once the shop records, and the months once they confirm it', async () => {
  await using w = await worlds.portal();
  const { pool, service } = w.server;
  await w.call('PUT', `/shop/${w.shopId}`, { body: { auditRecipientEmails: [BOOKS] } });
  const idle = await w.newShop({ customerEmail: BOOKS });
  await typed(w);
  await typed(w, idle, [BOOKS]);
  await service.work.serveMonth({ shopId: w.shopId, month: '2026-10' });
  expect(await sentMails(w)).toEqual([]);

  for (let look = 0; look < 3; look += 1) await service.work.askRecipients();
  const asked = await sentMails(w);
  expect(tos(asked)).toEqual([BOOKS, OWNER]);
  expect(asked[0]?.senderName).toMatch(/ via orderbridge$/);
  // The link opens nothing but the question.
  const link = linkIn(asked.find(({ to }) => to[0] === BOOKS)?.text ?? '');
  for (const path of ['', '/all', `/${w.shopId}/2026-10`]) expect((await w.open(`${link}${path}`)).headers.get('location')).toContain('/mails?');
  const before = await w.everything();
  expect((await w.open(`${link}/mails`)).text).toContain('Искате ли да го получавате?');
  expect(await w.everything()).toBe(before);

  expect((await w.send(`${link}/mails`, `${link}/mails`, { fields: { says: 'confirmed' }, form: null })).status).toBe(403);
  expect((await w.send(`${link}/mails`, `${link}/mails`, { fields: { says: 'confirmed' } })).status).toBe(303);
  expect((await w.open(link)).status).toBe(200);
  await mailed(w);
  expect(tos(await sentMails(w))).toEqual([BOOKS]);
  expect((await readActs(pool, SERVICE_AUDIT_LOG, { limit: 100 })).map(({ act }) => act)).toContain('recipient.confirmed');
});

test('a mailbox is asked about one shop at a time, and anew after a month without an answer only if it is typed again', async () => {
  await using w = await worlds.portal();
  const { pool } = w.server;
  const second = await w.newShop({ customerEmail: OWNER });
  await pool.query(`update compliance.orders set shop_id = $1 where id = (select id from compliance.orders limit 1)`, [second]);
  for (const shop of [w.shopId, second]) await typed(w, shop, [OWNER]);
  const ask = async (days: number) => {
    await askRecipients(pool, new Date(w.now().getTime() + days * 86_400_000));
    return (await sentMails(w)).length;
  };

  expect([await ask(0), await ask(1), await ask(29)]).toEqual([1, 0, 0]);
  expect([await ask(31), await ask(32), await ask(90)]).toEqual([1, 0, 0]);
  // One who confirmed elsewhere is not asked again, and gets the mails.
  await sayOfMailbox(pool, shopMailboxes, { ownerId: second, mailbox: mailboxMark(pool, OWNER), says: 'confirmed' });
  expect(await ask(200)).toBe(0);
});

test('who said that one shop is not theirs is asked about the next one at once, and a question that was answered meanwhile does not go out', async () => {
  await using w = await worlds.portal();
  const { pool } = w.server;
  const second = await w.newShop({ customerEmail: OWNER });
  await pool.query(`update compliance.orders set shop_id = $1 where id = (select id from compliance.orders limit 1)`, [second]);
  for (const shop of [w.shopId, second]) await typed(w, shop, [OWNER]);
  const askedShop = rowsOf('compliance.mailboxes', z.object({ shopId: z.string() }));
  const asked = async () => {
    await askRecipients(pool, w.now());
    return readRows(pool, askedShop, { text: 'select shop_id as "shopId" from compliance.mailboxes where asked_at is not null order by asked_at' });
  };
  const [first] = await asked();
  const refused = { shopId: first?.shopId ?? '', mailbox: mailboxMark(pool, OWNER), says: 'refused', by: 'cli:test' } as const;

  expect(await sayOfShop(pool, refused)).toBe(true);
  expect(await sentMails(w)).toEqual([]);
  expect(await asked()).toHaveLength(2);
  expect(tos(await sentMails(w))).toEqual([OWNER]);
});

test('anyone who gets a shop’s months says by their mail that it is not theirs: only their mails stop', async () => {
  await using w = await worlds.portal();
  const { pool, service } = w.server;
  await w.call('PUT', `/shop/${w.shopId}`, { body: { auditRecipientEmails: [BOOKS] } });
  await service.work.serveMonth({ shopId: w.shopId, month: '2026-10' });
  const [mail] = (await sentMails(w)).filter(({ to }) => to[0] === BOOKS);
  expect(mail?.text).toContain('Този магазин не е ваш?');
  expect(mail?.html).toContain('/mails"');
  const link = linkIn(mail?.text ?? '');

  expect((await w.send(`${link}/mails`, `${link}/mails`, { fields: { says: 'refused' } })).status).toBe(303);
  expect((await w.send(`${link}/mails`, `${link}/mails`, { fields: { says: 'refused' } })).status).toBe(303);
  expect((await w.open(`${link}/mails`)).text).toContain('не идват писма');
  expect((await w.open(link)).status).toBe(303);
  expect(await refusedShops(pool)).toMatchObject([{ shopId: w.shopId }]);
  await mailed(w);
  expect(tos(await sentMails(w))).toEqual([OWNER]);

  expect((await w.send(`${link}/mails`, `${link}/mails`, { fields: { says: 'resumed' } })).status).toBe(429);
  await pool.query(`update compliance.mailboxes set changed_at = now() - interval '2 minutes'`);
  expect((await w.send(`${link}/mails`, `${link}/mails`, { fields: { says: 'resumed' } })).status).toBe(303);
  expect(await refusedShops(pool)).toEqual([]);
  expect((await w.send(`${link}/mails`, `${link}/mails`, { fields: { says: 'nonsense' } })).status).toBe(404);
  // Whom the shop names no more says nothing.
  await w.call('PUT', `/shop/${w.shopId}`, { body: { auditRecipientEmails: [] } });
  expect((await w.open(`${link}/mails`)).status).toBe(404);
  expect(await sayOfShop(pool, { shopId: '00000000-0000-4000-8000-000000000000', mailbox: mailboxMark(pool, BOOKS), says: 'refused', by: 'link:x' })).toBe(
    false,
  );
});

test('an address in Cyrillic capitals is the same mailbox: it is one accountant of all their shops, and gets nothing of one that it refused', async () => {
  await using w = await worlds.portal();
  const { pool } = w.server;
  const [written, typed] = ['Books@СМЕТКИ.БГ', 'books@сметки.бг'];
  await w.call('PUT', `/shop/${w.shopId}`, { body: { auditRecipientEmails: [written] } });
  const second = await w.newShop({ auditRecipientEmails: [typed, written] });
  const shopsOf = async (address: string) => (await shopsOfAddress(pool, { address, shopId: null })).map(({ id }) => id).sort();
  const accountants = rowsOf('compliance.accountants', z.object({ shopId: z.string(), address: z.string() }));
  const named = () => readRows(pool, accountants, { text: 'select shop_id as "shopId", address from compliance.accountants order by 1' });
  expect(await shopsOf(typed)).toEqual([w.shopId, second].sort());
  expect(await shopsOf(written)).toEqual([w.shopId, second].sort());
  expect(new Set((await named()).map(({ address }) => address)).size).toBe(1);

  expect(await sayOfShop(pool, { shopId: w.shopId, mailbox: mailboxMark(pool, typed), says: 'refused', by: 'cli:test' })).toBe(true);

  expect(await shopsOf(typed)).toEqual([second]);
  expect((await named()).map(({ shopId }) => shopId)).toEqual([second]);
  expect(await refusedShops(pool)).toMatchObject([{ shopId: w.shopId }]);
});
