import { z } from 'zod';
import type { Connection } from '../../bridge/connections/connection.ts';
import { MAILBOX_MAIL, MERCHANT_CAUSES, MERCHANT_MAIL, type MerchantCause } from '../../bridge/ledger/alerts/merchant-incidents.ts';
import { findOnboarding } from '../../bridge/ledger/invitations/onboarding-store.ts';
import { mailSayings, shownCode } from '../../contract/mail-words.ts';
import { type Lang, messages } from '../../contract/messages.ts';
import type { Message } from '../../platform/mail/mail-message.ts';
import type { Letter, MailBuilder, MailRef } from '../../platform/mail/outbox.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { mailboxOf, wayOutLink } from './confirm-company.ts';
import { connectAddress, type LinkScope, mailboxSays, newOnboardingLink, type OnboardingStep } from './onboarding.ts';
import { onboardingOf } from './store.ts';

/** `publicUrl` null: no link leads here. `replyTo`: of the person who runs this. */
type Deps = { pool: Pool; connections: { find(id: string): Promise<Connection | null> }; publicUrl: string | null; replyTo: string | null };

const ref = z.object({ onboarding: z.string(), connectionId: z.string(), cause: z.enum(MERCHANT_CAUSES) });

/** What they mend elsewhere: no link is needed for that. */
const ELSEWHERE = ['frozen', 'locked', 'blocked'] as const satisfies readonly MerchantCause[];
type Elsewhere = (typeof ELSEWHERE)[number];

/** The one step that mends it. */
const MENDS: Readonly<Record<Exclude<MerchantCause, Elsewhere>, OnboardingStep>> = { key: 'store', scope: 'store', webhooks: 'webhooks', mapping: 'mapping' };

const MAILED_LINK_DAYS = 14;

/**
 * How mails to merchants are written: in their language, with a link to the one step that mends it; where they mend it elsewhere, to how their store does, if that
 * is their mailbox for sure. None to anyone who gave no address, did not confirm it, or has left. The mailbox of before is told that it is none any more.
 */
export function merchantMails(deps: Deps): Record<string, MailBuilder> {
  const { publicUrl } = deps;
  const changed = { [MAILBOX_MAIL]: (given: MailRef) => changedLetter(deps, changedRef.parse(given)) };
  return publicUrl === null ? changed : { ...changed, [MERCHANT_MAIL]: (given) => letter({ ...deps, publicUrl }, ref.parse(given)) };
}

const changedRef = z.object({ onboarding: z.string(), mailbox: z.string() });

async function changedLetter({ pool, publicUrl: base, replyTo }: Deps, { onboarding, mailbox: to }: z.output<typeof changedRef>): Promise<Letter | null> {
  const found = await findOnboarding(pool, onboarding);
  if (found === null || (await mailboxSays({ pool }, found, to)).isRefused) return null;
  const changed: WordsOf = (words) => words.mailboxChanged(replyTo);
  const write = async () => (base === null ? merchantMail(found.lang, changed) : withWayOut({ pool, base }, { ...found, to }, changed));
  return { to: [to], write: async () => ({ ...(await write()), ...plain(replyTo) }) };
}

function plain(replyTo: string | null): Omit<Message, 'subject' | 'text'> {
  return { to: [], replyTo, senderName: null, html: null, attachments: [], images: [] };
}

async function letter(deps: Deps & { publicUrl: string }, { onboarding: id, connectionId, cause }: z.output<typeof ref>): Promise<Letter | null> {
  const [onboarding, connection] = await Promise.all([findOnboarding(deps.pool, id), deps.connections.find(connectionId)]);
  const mailbox = onboarding === null ? null : mailboxOf(onboarding);
  if (onboarding === null || onboarding.revokedAt !== null || mailbox === null) return null;
  if (connection === null || connection.closedAt !== null) return null;
  if (!(await mailboxSays(deps, onboarding, mailbox)).isOpen) return null;
  // Of a link its hash alone is kept: each try has one of its own.
  const write = async (): Promise<Message> => {
    const link = async (scope: LinkScope) => connectAddress(deps.publicUrl, await newOnboardingLink(deps, onboarding, { scope, days: MAILED_LINK_DAYS }));
    const { name, platform } = connection;
    const about = { store: name, platform: onboardingOf(platform)?.title ?? platform };
    const mail = async (wordsOf: WordsOf) => ({
      ...(await withWayOut({ pool: deps.pool, base: deps.publicUrl }, { ...onboarding, to: mailbox }, wordsOf)),
      ...plain(deps.replyTo),
    });
    if (isElsewhere(cause)) {
      // One that they typed unchecked may be somebody else’s.
      const home = onboarding.email === null ? null : await link({ kind: 'status' });
      return mail((words) => words[cause]({ ...about, link: home }));
    }
    const step = await link({ kind: 'step', step: MENDS[cause] });
    return mail((words) => words[cause]({ ...about, link: step }));
  };
  return { to: [mailbox], write };
}

type Written = { id: string; lang: Lang | null; to: string };

/** The mail to a merchant, with a link by which anyone who reads it says that the store is not theirs. `base`: where this server is reached. */
export async function withWayOut({ pool, base }: { pool: Pool; base: string }, { id, lang, to }: Written, wordsOf: WordsOf): Promise<Mail & { to: string }> {
  const link = connectAddress(base, await wayOutLink({ pool }, { id }, to));
  return { to, ...merchantMail(lang, (words) => [...wordsOf(words), ...words.wayOut(link)]) };
}

/** The mail with the link by which a merchant connects a store; null: in their mailbox somebody said that it is not theirs. */
export async function invitationMail(deps: { pool: Pool; base: string }, written: Written, token: string): Promise<(Mail & { to: string }) | null> {
  const way = await findOnboarding(deps.pool, written.id);
  const { isRefused } = await mailboxSays(deps, { id: written.id, shopId: way?.shopId ?? null }, written.to);
  return isRefused ? null : withWayOut(deps, written, (words) => words.invited(connectAddress(deps.base, token)));
}

function isElsewhere(cause: MerchantCause): cause is Elsewhere {
  return ELSEWHERE.some((one) => one === cause);
}

/** Whether a merchant can be mailed a link. */
export function canMail({ entry, config }: { entry: { post: unknown }; config: { publicUrl: string | null } }): boolean {
  return entry.post !== null && config.publicUrl !== null;
}

type Mail = { subject: string; text: string };
/** `platform`: as its makers write it. */
type About = { store: string; link: string; platform: string };
/** What they mend elsewhere. `link`: how their store does; null: they get none. */
type AboutElsewhere = Omit<About, 'link'> & { link: string | null };

const seenEn = (link: string | null) => (link === null ? '' : ` Here you see how your store does, for 14 days:\n\n${link}`);
const seenBg = (link: string | null) => (link === null ? '' : ` Тук виждате състоянието на магазина ви, връзката важи 14 дни:\n\n${link}`);

const { notYours, sayItHere } = mailSayings;

/** Of each mail its subject, and its paragraphs after the greeting. */
const mails = messages({
  greeting: { en: 'Hello,', bg: 'Здравейте,' },
  invited: {
    en: (link: string) => [
      'Connect your store',
      'by this link you connect your online store, so that its paid orders are recorded for the NRA by themselves:',
      link,
      'It is yours alone and works for 14 days. You can stop and come back whenever you like: nothing is lost.',
    ],
    bg: (link: string) => [
      'Свържете магазина си',
      'с тази връзка свързвате електронния си магазин, за да се отчитат платените поръчки пред НАП сами:',
      link,
      'Тя е само за вас и важи 14 дни. Можете да спрете и да се върнете по всяко време: нищо не се губи.',
    ],
  },
  company: {
    en: (uic: string, link: string) => [
      `Is the company ${uic} yours?`,
      `somebody connects an online store for the company with the number ${uic} (ЕИК), and gave this address for it. If that is you, confirm it here, within 14 days:`,
      link,
      'If you know nothing of it, say so by the same link, or do nothing: no shop is made then.',
    ],
    bg: (uic: string, link: string) => [
      `Ваша ли е фирмата с ЕИК ${uic}?`,
      `някой свързва електронен магазин за фирмата с ЕИК ${uic} и посочи този адрес. Ако сте вие, потвърдете тук, връзката важи 14 дни:`,
      link,
      'Ако не знаете нищо за това, кажете го със същата връзка или не правете нищо: тогава обект не се създава.',
    ],
  },
  mailbox: {
    en: (link: string) => [
      'May we write to you about your online store?',
      'this address was given for mails about an online store, whose paid orders are recorded here for the NRA. If the store is yours, confirm it, within 14 days:',
      link,
      'If you know nothing of it, say so by the same link, or do nothing: nothing else comes here then.',
    ],
    bg: (link: string) => [
      'Да ви пишем ли за онлайн магазина ви?',
      'този адрес е посочен за писма за онлайн магазин, чиито платени поръчки се отчитат тук пред НАП. Ако магазинът е ваш, потвърдете, връзката важи 14 дни:',
      link,
      'Ако не знаете нищо за това, кажете го със същата връзка или не правете нищо: тогава тук няма да дойде нищо друго.',
    ],
  },
  /** Below each of them but company and mailbox, whose link says it, too. */
  wayOut: {
    en: (link: string) => [`${notYours.en} ${sayItHere.en}:`, link],
    bg: (link: string) => [`${notYours.bg} ${sayItHere.bg}:`, link],
  },
  key: {
    en: ({ store, link }: About) => [
      `${store}: the store refuses our key`,
      `the store ${store} does not take our key any more: it was deleted, our app was removed there, or its owner may not use it any more. Orders that the store reports are still recorded; what it forgets to report is not noticed.`,
      'Here you let us in again, for 14 days:',
      link,
    ],
    bg: ({ store, link }: About) => [
      `${store}: магазинът отказва ключа ни`,
      `магазинът ${store} вече не приема ключа ни: изтрит е, приложението ни е премахнато там или притежателят му няма право да го ползва. Поръчките, за които магазинът съобщава, се записват и сега; пропуснатите обаче не се забелязват.`,
      'Тук ни давате достъп отново, връзката важи 14 дни:',
      link,
    ],
  },
  frozen: {
    en: ({ store, link, platform }: AboutElsewhere) => [
      `${store}: the store is frozen`,
      `${platform} has frozen the store ${store} until its bill there is paid, and lets nobody read its orders meanwhile. What it forgets to report is not noticed.`,
      `Pay the bill at ${platform}; then it goes on by itself.${seenEn(link)}`,
    ],
    bg: ({ store, link, platform }: AboutElsewhere) => [
      `${store}: магазинът е замразен`,
      `${platform} е замразил магазина ${store}, докато сметката му там не бъде платена, и дотогава никой не може да чете поръчките му. Пропуснатите от него не се забелязват.`,
      `Платете сметката в ${platform}; след това всичко продължава само.${seenBg(link)}`,
    ],
  },
  locked: {
    en: ({ store, link, platform }: AboutElsewhere) => [
      `${store}: the store is locked`,
      `${platform} has locked the store ${store}, and lets nobody read its orders meanwhile. What it forgets to report is not noticed.`,
      `Only its owner can ask the support of ${platform} why; once it is open again, it goes on by itself.${seenEn(link)}`,
    ],
    bg: ({ store, link, platform }: AboutElsewhere) => [
      `${store}: магазинът е заключен`,
      `${platform} е заключил магазина ${store} и дотогава никой не може да чете поръчките му. Пропуснатите от него не се забелязват.`,
      `Само собственикът му може да попита поддръжката на ${platform} защо; щом бъде отключен, всичко продължава само.${seenBg(link)}`,
    ],
  },
  blocked: {
    en: ({ store, link, platform }: AboutElsewhere) => [
      `${store}: something keeps us out of the store`,
      `a firewall, a password or a security plugin is before the store ${store}, and refuses us before ${platform} looks at our key. Orders that the store reports are still recorded; what it forgets to report is not noticed.`,
      `Let its API through, or ask your hosting to do so; then it goes on by itself. The key may stay as it is.${seenEn(link)}`,
    ],
    bg: ({ store, link, platform }: AboutElsewhere) => [
      `${store}: нещо не ни пуска до магазина`,
      `защитна стена, парола или модул за сигурност стои пред магазина ${store} и ни отказва, преди ${platform} да погледне ключа ни. Поръчките, за които магазинът съобщава, се записват и сега; пропуснатите обаче не се забелязват.`,
      `Пуснете достъпа до неговия API или помолете хостинга за това; след това всичко продължава само. Ключът може да остане същият.${seenBg(link)}`,
    ],
  },
  scope: {
    en: ({ store, link }: About) => [
      `${store}: our app may no longer read its orders`,
      `in the store ${store} our app lost the right to read orders. The store reports no orders to us without it, so new ones are not recorded.`,
      'Here you approve the app again, with all that it asks for. The link works for 14 days:',
      link,
    ],
    bg: ({ store, link }: About) => [
      `${store}: приложението ни вече не може да чете поръчките му`,
      `в магазина ${store} приложението ни вече няма право да чете поръчки. Без него магазинът не ни съобщава за тях и новите не се записват.`,
      'Тук одобрявате приложението отново, с всичко, което иска. Връзката важи 14 дни:',
      link,
    ],
  },
  webhooks: {
    en: ({ store, link }: About) => [
      `${store}: the store does not report its orders`,
      `in the store ${store} notifications about orders were paused, changed or deleted, and we can't put that right by ourselves. New orders may not be recorded in time.`,
      'Here it is put right, for 14 days:',
      link,
    ],
    bg: ({ store, link }: About) => [
      `${store}: магазинът не съобщава за поръчките си`,
      `в магазина ${store} известия за поръчки са спрени, променени или изтрити и не можем да го поправим сами. Нови поръчки може да не бъдат записани навреме.`,
      'Поправя се тук, връзката важи 14 дни:',
      link,
    ],
  },
  mapping: {
    en: ({ store, link }: About) => [
      `${store}: what is this way to pay?`,
      `in the store ${store} there are orders with a way to pay or a VAT rate that you have not told us about. They wait until you say what it is; all others are recorded.`,
      'Here you say it, for 14 days. You may pass the link on to your accountant:',
      link,
    ],
    bg: ({ store, link }: About) => [
      `${store}: какъв е този начин на плащане?`,
      `в магазина ${store} има поръчки с начин на плащане или ставка на ДДС, за които не сте ни казали. Те чакат, докато кажете какви са; всички останали се записват.`,
      'Казвате го тук, връзката важи 14 дни. Можете да я препратите на счетоводителя си:',
      link,
    ],
  },
  code: {
    en: (code: string) => [
      'The code for the page of your store',
      shownCode(code),
      'is the code that opens the page of your online store, or has its mails come to this address. It works once, for 15 minutes, in the browser that asked for it.',
      'If you did not ask for it, do nothing, and tell it to nobody.',
    ],
    bg: (code: string) => [
      'Код за страницата на магазина ви',
      shownCode(code),
      'е кодът, с който отваряте страницата на онлайн магазина си или насочвате писмата за него към този адрес. Важи само веднъж, 15 минути, в браузъра, от който е поискан.',
      'Ако не сте го поискали, не правете нищо и не го казвайте на никого.',
    ],
  },
  /** `replyTo`: whom to write to; null: it is not known. */
  mailboxChanged: {
    en: (replyTo: string | null) => [
      'The mailbox of your store was changed',
      `mails about your online store go to another address from now on; this is the last one here. If you did not change that, say so at once to the person who runs this service.${replyTo === null ? '' : ` Write to ${replyTo}.`}`,
    ],
    bg: (replyTo: string | null) => [
      'Пощата на магазина ви е сменена',
      `отсега нататък писмата за онлайн магазина ви отиват на друг адрес; това е последното тук. Ако не сте сменили пощата вие, веднага кажете на този, който поддържа услугата.${replyTo === null ? '' : ` Пишете на ${replyTo}.`}`,
    ],
  },
});

type WordsOf = (words: (typeof mails)[Lang]) => readonly string[];

/** What merchants are mailed; in Bulgarian unless they chose otherwise. */
export function merchantMail(lang: Lang | null, wordsOf: WordsOf): Mail {
  const words = mails[lang ?? 'bg'];
  const [subject = '', ...paragraphs] = wordsOf(words);
  return { subject, text: `${[words.greeting, ...paragraphs].join('\n\n')}\n` };
}
