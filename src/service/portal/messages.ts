import { dayText, momentText, monthName } from '../../contract/local-text.ts';
import { mailedCode, mailSayings } from '../../contract/mail-words.ts';
import { type Lang, messages } from '../../contract/messages.ts';
import { actMessages, listMessages } from '../audit/summary/month-messages.ts';

/** What a person can say of a month, or ask for. */
export const ACTS = ['filed', 'rejected', 'again', 'nothing'] as const;
export type ActName = (typeof ACTS)[number];

/** The pages behind the links in mails. `bulgarianOnly`: above what is in Bulgarian alone. */
export const portalMessages = messages({
  lang: { en: 'en' as Lang, bg: 'bg' as Lang },
  month: { en: (month: string): string => monthName(month, 'en'), bg: (month: string) => monthName(month, 'bg') },
  day: { en: (day: string): string => dayText(day, 'en'), bg: (day: string) => dayText(day, 'bg') },
  moment: { en: (at: string): string => momentText(at, 'en'), bg: (at: string) => momentText(at, 'bg') },
  ways: {
    label: { en: 'Pages', bg: 'Страници' },
    month: { en: 'The month', bg: 'Месецът' },
    all: { en: 'All months', bg: 'Всички месеци' },
    other: { en: 'Български', bg: 'English' },
  },
  acts: {
    title: { en: 'Say what was done', bg: 'Отбележете какво е направено' },
    none: { en: 'There is nothing to say of this month yet.', bg: 'За този месец засега няма какво да се отбележи.' },
    optional: { en: 'optional', bg: 'по желание' },
    saved: { en: 'Saved', bg: 'Записано' },
    notSaved: { en: 'Not saved', bg: 'Не е записано' },
  },
  act: actMessages,
  lists: listMessages,
  list: {
    title: { en: 'All months', bg: 'Всички месеци' },
    lead: {
      en: 'The shops of this company that send their months to your address.',
      bg: 'Магазините на тази фирма, които изпращат месеците си на вашия адрес.',
    },
    opened: {
      en: 'The shops of all companies that send their months to your address. They are open in this browser for 30 minutes.',
      bg: 'Магазините на всички фирми, които изпращат месеците си на вашия адрес. В този браузър са отворени за 30 минути.',
    },
    none: {
      en: 'No month has orders yet. Each will be here with its sums, its files and its term.',
      bg: 'Още няма месеци с поръчки. Тук всеки ще е със сумите, файловете и срока си.',
    },
    more: { en: 'The first 200 shops are shown.', bg: 'Показани са първите 200 магазина.' },
  },
  code: {
    ...mailedCode,
    title: { en: 'Your other companies', bg: 'Другите ви фирми' },
    lead: {
      en: 'A code that is mailed to your address opens the months of all your companies here.',
      bg: 'С код, който изпращаме на вашия адрес, тук се отварят месеците на всичките ви фирми.',
    },
    enter: { en: 'Open all companies', bg: 'Отворете всички фирми' },
  },
  bulgarianOnly: { en: 'The summary below is in Bulgarian, as it goes with the file.', bg: '' },
  pages: {
    unknown: {
      title: { en: 'This link leads nowhere', bg: 'Тази връзка не води никъде' },
      words: {
        en: [
          'The link is incomplete, was changed, or is no longer good for your address.',
          'Open it from the last mail of the month. If that does not help, write to the merchant or to the person who runs this service.',
        ],
        bg: [
          'Връзката е непълна, променена или вече не важи за вашия адрес.',
          'Отворете я направо от последното писмо за месеца. Ако пак не се отваря, пишете на търговеца или на този, който поддържа услугата.',
        ],
      },
    },
    expired: {
      title: { en: 'This link has expired', bg: 'Тази връзка е изтекла' },
      words: {
        en: ['Links work until 60 days after the month’s due date. A new one can only be mailed to the address that this one came to.'],
        bg: ['Връзките важат до 60 дни след срока на месеца. Нова може да бъде изпратена само на адреса, на който е дошла тази.'],
      },
    },
    renewed: {
      title: { en: 'The request was accepted', bg: 'Заявката е приета' },
      words: {
        en: [
          'If the address that this link came to still gets the months of this shop, a new link arrives there within minutes.',
          'A new link is mailed at most once in 15 minutes.',
        ],
        bg: [
          'Ако адресът, на който е дошла тази връзка, още получава месеците на магазина, до няколко минути там ще дойде нова.',
          'Нова връзка се изпраща най-много веднъж на 15 минути.',
        ],
      },
    },
    tooMany: {
      title: { en: 'Too many attempts', bg: 'Твърде много опити' },
      words: {
        en: ['Too many links that do not exist were opened from your address. Wait a minute, and try again.'],
        bg: ['От вашия адрес бяха отворени твърде много несъществуващи връзки. Изчакайте минута и опитайте пак.'],
      },
    },
    foreignForm: {
      title: { en: 'Not saved', bg: 'Не е записано' },
      words: {
        en: ['The request did not come from the month’s page. Open the link of the mail, and try again from there.'],
        bg: ['Заявката не дойде от страницата на месеца. Отворете връзката от писмото и опитайте пак оттам.'],
      },
    },
    method: {
      title: { en: 'This request is not accepted', bg: 'Заявката не е приета' },
      words: {
        en: ['This address does not accept such a request. Open the link of the mail.'],
        bg: ['Този адрес не приема такава заявка. Отворете връзката от писмото.'],
      },
    },
    failed: {
      title: { en: 'An error occurred', bg: 'Възникна грешка' },
      words: {
        en: ['It is not known whether the request was carried out. Try again in a minute; the month’s page shows what is saved.'],
        bg: ['Не е сигурно дали заявката е изпълнена. Опитайте пак след минута; страницата на месеца показва какво е записано.'],
      },
    },
  },
  mails: {
    ...mailSayings,
    title: { en: 'Mails of this shop', bg: 'Писмата за този магазин' },
    asked: {
      en: (shop: string): string => `Your address was given for the monthly file of “${shop}” for the tax agency. Do you want it?`,
      bg: (shop: string) => `Вашият адрес е посочен за месечния файл за НАП на „${shop}“. Искате ли да го получавате?`,
    },
    come: {
      en: (shop: string): string => `The monthly file of “${shop}” for the tax agency comes to your address.`,
      bg: (shop: string) => `На вашия адрес идва месечният файл за НАП на „${shop}“.`,
    },
    refused: {
      en: (shop: string): string => `No mails about “${shop}” come to your address. The person who runs this service is informed.`,
      bg: (shop: string) => `На вашия адрес не идват писма за „${shop}“. Този, който поддържа услугата, е уведомен.`,
    },
    yes: { en: 'Yes, send it to me', bg: 'Да, изпращайте ми го' },
  },
  renew: { en: 'Send me a new link', bg: 'Изпратете ми нова връзка' },
});

export type PortalMessages = (typeof portalMessages)[Lang];

/** A page that says one thing. */
export type PlainPage = { title: string; words: readonly string[] };
