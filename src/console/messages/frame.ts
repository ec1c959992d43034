import { type LocalizedText, messages } from '../../contract/messages.ts';
import { counted, countText } from '../../contract/plural.ts';

/** What every page has. */
export const frame = messages({
  product: { en: 'orderbridge', bg: 'orderbridge' },
  skip: { en: 'To the content', bg: 'Към съдържанието' },
  copy: { verb: { en: 'Copy', bg: 'Копирай' }, done: { en: 'Copied', bg: 'Копирано' } },
  menu: { en: 'Menu', bg: 'Меню' },
  places: {
    today: { en: 'Today', bg: 'Днес' },
    orders: { en: 'Orders', bg: 'Поръчки' },
    review: { en: 'Needs review', bg: 'За проверка' },
    months: { en: 'Months', bg: 'Месеци' },
    stores: { en: 'Stores', bg: 'Магазини' },
    destinations: { en: 'Compliance service', bg: 'Услуга за отчитане' },
    activity: { en: 'Activity', bg: 'Действия' },
    live: { en: 'Live', bg: 'На живо' },
    people: { en: 'People', bg: 'Хора' },
  },
  search: {
    label: { en: 'Search: number, amount, id, e-mail, store, page', bg: 'Търсене: номер, сума, идентификатор, имейл, магазин, страница' },
    hint: { en: 'Search', bg: 'Търси' },
  },
  person: {
    signOut: { en: 'Sign out', bg: 'Изход' },
    language: { en: 'Български', bg: 'English' },
    account: { en: 'Your account', bg: 'Вашият профил' },
  },
  health: {
    ok: { en: 'All is well', bg: 'Всичко е наред' },
    wrong: {
      en: (urgent: number, others: number): string =>
        [urgent === 0 ? '' : counted.en(urgent, 'urgent problem', 'urgent problems'), others === 0 ? '' : `${others} to review`].filter(Boolean).join(', '),
      bg: (urgent: number, others: number) =>
        [urgent === 0 ? '' : counted.bg(urgent, 'спешен проблем', 'спешни проблема'), others === 0 ? '' : `${others} за проверка`].filter(Boolean).join(', '),
    },
  },
  when: {
    never: { en: 'never', bg: 'никога' },
    ago: {
      en: (seconds: number): string => {
        if (seconds < 90) return `${seconds} s ago`;
        if (seconds < 5_400) return `${Math.round(seconds / 60)} min ago`;
        if (seconds < 129_600) return `${Math.round(seconds / 3_600)} h ago`;
        return `${Math.round(seconds / 86_400)} days ago`;
      },
      bg: (seconds: number) => {
        if (seconds < 90) return `преди ${seconds} сек.`;
        if (seconds < 5_400) return `преди ${Math.round(seconds / 60)} мин.`;
        if (seconds < 129_600) return `преди ${Math.round(seconds / 3_600)} ч.`;
        return `преди ${Math.round(seconds / 86_400)} дни`;
      },
    },
  },
  problem: {
    missingTitle: { en: 'Nothing is here', bg: 'Тук няма нищо' },
    missing: {
      en: 'There is no page at this address. Look for an order above, or go on from Today.',
      bg: 'На този адрес няма страница. Потърсете поръчка горе или продължете от „Днес“.',
    },
    forbiddenTitle: { en: 'This is not for your role', bg: 'Това не е за вашата роля' },
    forbidden: { en: (roles: string): string => `Only ${roles} can do this.`, bg: (roles: string) => `Това може само: ${roles}.` },
    foreignTitle: { en: 'Sent from elsewhere', bg: 'Изпратено от другаде' },
    foreign: {
      en: 'This form was not sent from a page of orderbridge, so nothing was done. Open the page and send it again.',
      bg: 'Формулярът не е изпратен от страница на orderbridge и нищо не беше направено. Отворете страницата и го изпратете отново.',
    },
    staleTitle: { en: 'It has changed meanwhile', bg: 'Междувременно е променено' },
    stale: {
      en: 'Somebody changed it after you opened the page. Nothing was done. This is what you saw, and what it is now:',
      bg: 'Някой го промени, след като отворихте страницата. Нищо не беше направено. Това видяхте и това е сега:',
    },
    refusedTitle: { en: 'This can’t be done', bg: 'Това не може да се направи' },
    seen: { en: 'What you saw', bg: 'Видяхте' },
    now: { en: 'What it is now', bg: 'Сега' },
    failedTitle: { en: 'Something went wrong', bg: 'Нещо се обърка' },
    failed: {
      en: (requestId: string): string => `This page could not be made. The log has the reason under ${requestId}. Nothing is lost: webhooks are still taken.`,
      bg: (requestId: string) =>
        `Страницата не можа да бъде направена. Причината е в дневника под ${requestId}. Нищо не е загубено: известията от магазините се приемат.`,
    },
    databaseTitle: { en: 'The database does not answer', bg: 'Базата данни не отговаря' },
    database: {
      en: 'Webhooks are still taken if a receiver runs with Redis: nothing is lost. This page tries again by itself.',
      bg: 'Ако приемник работи с Redis, известията от магазините се приемат: нищо не е загубено. Страницата опитва отново сама.',
    },
    unknown: {
      en: 'Whether it was done is not known. Go back and look before you send it again.',
      bg: 'Не е известно дали изпратеното е изпълнено. Върнете се и проверете, преди да го изпратите отново.',
    },
    method: { en: 'This address takes no such request.', bg: 'Този адрес не приема такава заявка.' },
    back: { en: 'Back', bg: 'Назад' },
    advice: { en: 'What to do:', bg: 'Какво да направите:' },
    typed: { en: 'What you typed', bg: 'Какво написахте' },
    kept: {
      en: 'What you typed and chose is kept below: look at it again, and send it if it still holds.',
      bg: 'Написаното и избраното от вас е запазено по-долу: прегледайте го и го изпратете, ако все още важи.',
    },
    again: { en: 'Send it again', bg: 'Изпрати отново' },
    fields: {
      note: { en: 'Note', bg: 'Бележка' },
      why: { en: 'Why', bg: 'Защо' },
      reason: { en: 'Why', bg: 'Защо' },
      words: { en: 'What was answered', bg: 'Какво беше отговорено' },
      name: { en: 'Name', bg: 'Име' },
      email: { en: 'E-mail', bg: 'Имейл' },
      url: { en: 'Address', bg: 'Адрес' },
      recorded: { en: 'Id at the compliance service', bg: 'Идентификатор в услугата за отчитане' },
      incomingNumber: { en: 'Incoming number', bg: 'Входящ номер' },
      filedOn: { en: 'Day of filing', bg: 'Ден на подаване' },
    } as Readonly<Record<string, LocalizedText>>,
  },
  roles: {
    owner: { en: 'owner', bg: 'собственик' },
    operator: { en: 'operator', bg: 'оператор' },
    accountant: { en: 'accountant', bg: 'счетоводител' },
    viewer: { en: 'viewer', bg: 'наблюдател' },
  },
  keys: {
    title: { en: 'Keys', bg: 'Клавиши' },
    close: { en: 'Close', bg: 'Затвори' },
    all: {
      en: [
        ['/  Ctrl K  ⌘ K', 'to the search'],
        ['↓  ↑', 'next and previous result of the search'],
        ['g t', 'Today'],
        ['g o', 'Orders'],
        ['g p', 'Needs review'],
        ['g m', 'Months'],
        ['g s', 'Stores'],
        ['g c', 'Compliance service'],
        ['g a', 'Activity'],
        ['g l', 'Live'],
        ['j  k', 'next and previous row'],
        ['Enter', 'opens the row'],
        ['x', 'selects the row'],
        ['r', 'to the verb of the page'],
        ['?', 'these keys'],
      ] as readonly (readonly [string, string])[],
      bg: [
        ['/  Ctrl K  ⌘ K', 'към търсенето'],
        ['↓  ↑', 'следващ и предишен резултат от търсенето'],
        ['g t', 'Днес'],
        ['g o', 'Поръчки'],
        ['g p', 'За проверка'],
        ['g m', 'Месеци'],
        ['g s', 'Магазини'],
        ['g c', 'Услуга за отчитане'],
        ['g a', 'Действия'],
        ['g l', 'На живо'],
        ['j  k', 'следващ и предишен ред'],
        ['Enter', 'отваря реда'],
        ['x', 'избира реда'],
        ['r', 'към действието на страницата'],
        ['?', 'тези клавиши'],
      ] as readonly (readonly [string, string])[],
    },
  },
  paging: {
    first: { en: 'First page', bg: 'Първа страница' },
    prev: { en: 'Previous page', bg: 'Предишна страница' },
    next: { en: 'Next page', bg: 'Следваща страница' },
    at: {
      en: (from: number, to: number, { count, most }: { count: number; most: number }): string =>
        `${countText(from, 'en')}–${countText(to, 'en')} of ${count > most ? `more than ${countText(most, 'en')}` : countText(count, 'en')}`,
      bg: (from: number, to: number, { count, most }: { count: number; most: number }) =>
        `${countText(from, 'bg')}–${countText(to, 'bg')} от ${count > most ? `повече от ${countText(most, 'bg')}` : countText(count, 'bg')}`,
    },
  },
  days: {
    label: { en: 'Days', bg: 'Дни' },
    today: { en: 'today', bg: 'днес' },
    yesterday: { en: 'yesterday', bg: 'вчера' },
    since: { en: 'since yesterday', bg: 'от вчера' },
    week: { en: 'last 7 days', bg: 'последните 7 дни' },
    month: { en: 'this month', bg: 'този месец' },
    from: { en: 'From', bg: 'От' },
    to: { en: 'to', bg: 'до' },
  },
  none: { en: '–', bg: '–' },
});
