import type { Lang } from '../../contract/said.ts';

type Mail = { subject: string; text: string };
type About = { store: string; link: string };

type MailWords = {
  invited(link: string): Mail;
  key(about: About): Mail;
  scope(about: About): Mail;
  webhooks(about: About): Mail;
  mapping(about: About): Mail;
};

const en: MailWords = {
  invited: (link) => ({
    subject: 'Connect your store',
    text: `Hello,

by this link you connect your online store, so that its paid orders are recorded for the NRA by themselves:

${link}

It is yours alone and works for 14 days. You can stop and come back whenever you like: nothing is lost.
`,
  }),
  key: ({ store, link }) => ({
    subject: `${store}: the store refuses our key`,
    text: `Hello,

the store ${store} does not take our key any more: it was deleted, our app was removed there, or its owner may not use it any more. Orders that the store reports are still recorded; what it forgets to report is not noticed.

Here you let us in again, for 14 days:

${link}
`,
  }),
  scope: ({ store, link }) => ({
    subject: `${store}: our app may no longer read its orders`,
    text: `Hello,

in the store ${store} our app lost the right to read orders. The store reports no orders to us without it, so new ones are not recorded.

Here you approve the app again, with all that it asks for. The link works for 14 days:

${link}
`,
  }),
  webhooks: ({ store, link }) => ({
    subject: `${store}: the store does not report its orders`,
    text: `Hello,

in the store ${store} notifications about orders were paused, changed or deleted, and we can't put that right by ourselves. New orders may not be recorded in time.

Here it is put right, for 14 days:

${link}
`,
  }),
  mapping: ({ store, link }) => ({
    subject: `${store}: what is this way to pay?`,
    text: `Hello,

in the store ${store} there are orders with a way to pay or a VAT rate that you have not told us about. They wait until you say what it is; all others are recorded.

Here you say it, for 14 days. You may pass the link on to your accountant:

${link}
`,
  }),
};

const bg: MailWords = {
  invited: (link) => ({
    subject: 'Свържете магазина си',
    text: `Здравейте,

с тази връзка свързвате електронния си магазин, за да се отчитат платените поръчки пред НАП сами:

${link}

Тя е само за вас и важи 14 дни. Можете да спрете и да се върнете по всяко време: нищо не се губи.
`,
  }),
  key: ({ store, link }) => ({
    subject: `${store}: магазинът отказва ключа ни`,
    text: `Здравейте,

магазинът ${store} вече не приема ключа ни: изтрит е, приложението ни е премахнато там или притежателят му няма право да го ползва. Поръчките, за които магазинът съобщава, се записват и сега; пропуснатите обаче не се забелязват.

Тук ни давате достъп отново, връзката важи 14 дни:

${link}
`,
  }),
  scope: ({ store, link }) => ({
    subject: `${store}: приложението ни вече не може да чете поръчките му`,
    text: `Здравейте,

в магазина ${store} приложението ни вече няма право да чете поръчки. Без него магазинът не ни съобщава за тях и новите не се записват.

Тук одобрявате приложението отново, с всичко, което иска. Връзката важи 14 дни:

${link}
`,
  }),
  webhooks: ({ store, link }) => ({
    subject: `${store}: магазинът не съобщава за поръчките си`,
    text: `Здравейте,

в магазина ${store} известия за поръчки са спрени, променени или изтрити и не можем да го поправим сами. Нови поръчки може да не бъдат записани навреме.

Поправя се тук, връзката важи 14 дни:

${link}
`,
  }),
  mapping: ({ store, link }) => ({
    subject: `${store}: какъв е този начин на плащане?`,
    text: `Здравейте,

в магазина ${store} има поръчки с начин на плащане или ставка на ДДС, за които не сте ни казали. Те чакат, докато кажете какви са; всички останали се записват.

Казвате го тук, връзката важи 14 дни. Можете да я препратите на счетоводителя си:

${link}
`,
  }),
};

/** What merchants are mailed; in Bulgarian unless they chose otherwise. */
export function merchantMailWords(lang: Lang | null): MailWords {
  return lang === 'en' ? en : bg;
}
