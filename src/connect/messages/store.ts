import type { StoreHint, StoreProblemCode } from '../../bridge/storefronts/onboarding.ts';
import { type InBoth, messages } from '../../contract/messages.ts';
import { form } from '../../contract/plural.ts';

type Problem = { what: string; todo: (of: { title: string; to: string; status: string; needed: string; version: string }) => string };

/** The step in which the store is found, and gives its keys. `title`: the platform, as its makers write it. */
export const store = messages({
  title: { en: 'Which store?', bg: 'Кой магазин свързвате?' },
  intro: {
    en: 'Choose how your store works. Nothing is changed in it yet, and nothing is recorded.',
    bg: 'Изберете как работи магазинът ви. В него още нищо не се променя и нищо не се отчита.',
  },
  address: {
    heading: { en: (title: string): string => `A ${title} store`, bg: (title: string) => `Магазин на ${title}` },
    label: { en: 'Address of the store', bg: 'Адрес на магазина' },
    hint: { en: 'As your customers type it, such as shop.bg.', bg: 'Както го пишат клиентите ви, например shop.bg.' },
    verb: { en: 'Look at the store', bg: 'Прегледайте магазина' },
  },
  own: {
    heading: { en: 'A shop of your own', bg: 'Собствен магазин' },
    body: {
      en: 'Your programmer adds a few lines that send each order. We give them in PHP, Node and Shell.',
      bg: 'Програмистът ви добавя няколко реда, които изпращат всяка поръчка. Даваме ги на PHP, Node и Shell.',
    },
    label: { en: 'Name of the shop', bg: 'Име на магазина' },
    verb: { en: 'Choose a shop of your own', bg: 'Изберете собствен магазин' },
    noName: {
      en: 'Type a name, by which you know the shop, without web or e-mail addresses and telephone numbers. Put a space after a dot.',
      bg: 'Напишете име, по което познавате магазина, без уеб и имейл адреси и телефони. След точка сложете интервал.',
    },
  },
  isConnected: {
    en: 'This store is connected. Its address can’t be changed here; ask the person who sent you the link.',
    bg: 'Този магазин е свързан. Адресът му не се сменя оттук; обърнете се към този, който ви изпрати връзката.',
  },
  newKeys: { en: 'Give it new keys', bg: 'Дайте му нови ключове' },
  renewed: { en: 'The new keys work.', bg: 'Новите ключове работят.' },
  approveAgain: {
    en: 'If the store no longer lets our app in, approve it there again. Nothing else changes.',
    bg: 'Ако магазинът вече не допуска приложението ни, одобрете го там отново. Нищо друго не се променя.',
  },
  approvedAgain: {
    en: 'You approved the app: it may read your orders. Nothing else is to be done.',
    bg: 'Одобрихте приложението: то може да чете поръчките ви. Друго не е нужно.',
  },
  chosen: { en: (name: string): string => `You chose ${name}.`, bg: (name: string) => `Избрахте ${name}.` },
  other: { en: 'Choose another store', bg: 'Изберете друг магазин' },
  wrongTitle: { en: (host: string): string => `We could not use ${host}`, bg: (host: string) => `Не можем да използваме ${host}` },
  found: {
    title: { en: 'We found your store', bg: 'Намерихме магазина ви' },
    body: {
      en: (name: string, host: string): string => (name === host ? `It is at ${host}.` : `${name} at ${host}.`),
      bg: (name: string, host: string) => (name === host ? `Адресът му е ${host}.` : `${name} на адрес ${host}.`),
    },
    version: { en: (words: string): string => `It runs on ${words}.`, bg: (words: string) => `Работи с ${words}.` },
    next: {
      en: 'Now your store asks you whether we may read its orders. Sign in there if it wants that, and press “Approve”.',
      bg: 'Сега магазинът ще ви попита дали можем да четем поръчките му. Влезте, ако поиска, и натиснете „Одобряване“ (Approve).',
    },
    verb: { en: (host: string): string => `Go to ${host} and approve`, bg: (host: string) => `Към ${host}, за да одобрите` },
    nextApp: {
      en: 'Now your store asks you whether our app may read its orders. Sign in there if it wants that, and approve it: then you are back here, at the next step.',
      bg: 'Сега магазинът ще ви попита дали нашето приложение може да чете поръчките му. Влезте в профила си, ако поиска, и го одобрете: после се връщате тук, на следващата стъпка.',
    },
    verbOf: {
      en: (host: string, app: string): string => `Go to ${host} and approve the app ${app}`,
      bg: (host: string, app: string) => `Към ${host}, за да одобрите приложението ${app}`,
    },
    pasteOwn: { en: 'Use an app of your own instead', bg: 'Вместо това използвайте собствено приложение' },
    paste: { en: 'Paste keys instead', bg: 'Вместо това поставете ключове' },
    pasteNext: {
      en: 'This store can’t hand its keys over by itself. You make them in its administration and paste them here.',
      bg: 'Този магазин не може сам да предаде ключовете си. Създавате ги в администрацията му и ги поставяте тук.',
    },
    pasteVerb: { en: 'Make keys and paste them', bg: 'Създайте ключове и ги поставете' },
    noPublicUrl: {
      en: 'This server has no address on the internet yet (PUBLIC_URL), so the store can’t hand its keys over. Tell the person who runs it.',
      bg: 'Сървърът още няма адрес в интернет (PUBLIC_URL) и магазинът не може да предаде ключовете си. Кажете на този, който го поддържа.',
    },
  },
  note: {
    redirected: { en: ({ to }) => `The address leads to ${to}, and that is used.`, bg: ({ to }) => `Адресът препраща към ${to} и се използва той.` },
    'permalinks.plain': {
      en: () =>
        'The store’s permalinks are “Plain”, so it can’t hand keys over. Choose another setting under Settings → Permalinks and look again, or paste keys.',
      bg: () =>
        'Постоянните връзки на магазина са „Обикновени“ и той не може да предаде ключове. Изберете друга настройка в Настройки → Постоянни връзки и прегледайте отново или поставете ключове.',
    },
    'handover.blocked': {
      en: () => 'The hosting blocks the page by which keys are handed over. Paste keys, or ask the hosting to allow /wc-auth/.',
      bg: () => 'Хостингът блокира страницата, с която се предават ключове. Поставете ключове или поискайте от хостинга да разреши /wc-auth/.',
    },
    http: {
      en: () => 'The store is called over http, which only a private network allows.',
      bg: () => 'Магазинът се отваря с http, което е позволено само в частна мрежа.',
    },
    'header.stripped': {
      en: () => 'The hosting removes the header with the key, so it is sent in the address. Ask the hosting to pass “Authorization” on.',
      bg: () => 'Хостингът премахва полето с ключа и той се изпраща в адреса. Поискайте от хостинга да предава полето „Authorization“.',
    },
    'buyers.hidden': {
      en: () =>
        'The store hides buyers from this app. Orders are recorded all the same, but receipts can’t be mailed to buyers: for that, grant the app access to protected customer data.',
      bg: () =>
        'Магазинът скрива купувачите от това приложение. Поръчките се отчитат и така, но документите за продажба не могат да се изпращат на купувачите: за това дайте на приложението достъп до protected customer data.',
    },
    'scopes.fewer': {
      en: ({ to }) => `The store granted the app less than was asked: ${to} is missing. Orders are recorded all the same.`,
      bg: ({ to }) => `Магазинът даде на приложението по-малко, отколкото беше поискано: липсва ${to}. Поръчките се отчитат и така.`,
    },
  } satisfies Readonly<Record<StoreHint, InBoth<(of: { to: string }) => string>>>,
  problem: {
    'address.invalid': {
      what: { en: 'This is not an address of a store.', bg: 'Това не е адрес на магазин.' },
      todo: {
        en: () => 'Type it as your customers do, such as shop.bg, without spaces.',
        bg: () => 'Напишете го както клиентите ви, например shop.bg, без интервали.',
      },
    },
    'address.private': {
      what: { en: 'This address is not on the internet.', bg: 'Този адрес не е в интернет.' },
      todo: {
        en: () => 'Type the public address of the store; one inside your network can’t be reached.',
        bg: () => 'Напишете публичния адрес на магазина; адрес във вашата мрежа не може да бъде достигнат.',
      },
    },
    'address.unknown': {
      what: { en: 'This domain doesn’t exist.', bg: 'Няма такъв домейн.' },
      todo: { en: () => 'Check the spelling, and that the domain is paid for.', bg: () => 'Проверете дали е изписано вярно и дали домейнът е платен.' },
    },
    'https.missing': {
      what: { en: 'The store does not open over https.', bg: 'Магазинът не се отваря с https.' },
      todo: {
        en: () => 'Ask your hosting for a certificate (most give one for free) and try again. Without it anybody on the way could read keys and orders.',
        bg: () =>
          'Поискайте сертификат от хостинга (повечето го дават безплатно) и опитайте отново. Без него ключовете и поръчките могат да бъдат прочетени по пътя.',
      },
    },
    certificate: {
      what: { en: 'The certificate of the store is not valid.', bg: 'Сертификатът на магазина не е валиден.' },
      todo: {
        en: () => 'Ask your hosting to renew it; browsers warn your customers about it, too.',
        bg: () => 'Поискайте от хостинга да го поднови; браузърите предупреждават за него и клиентите ви.',
      },
    },
    unreachable: {
      what: { en: 'The store does not answer over https.', bg: 'Магазинът не отговаря по https.' },
      todo: {
        en: () => 'Check that it opens in your browser with https://, and try again.',
        bg: () => 'Проверете дали се отваря в браузъра ви с https:// и опитайте отново.',
      },
    },
    slow: {
      what: { en: 'The store takes too long to answer.', bg: 'Магазинът отговаря твърде бавно.' },
      todo: {
        en: () => 'Try again in a few minutes; if it lasts, ask your hosting.',
        bg: () => 'Опитайте отново след няколко минути; ако продължава, обърнете се към хостинга.',
      },
    },
    'cut-off': {
      what: { en: 'The store broke off its answer.', bg: 'Магазинът прекъсна отговора си.' },
      todo: {
        en: () => 'Try again; if it lasts, a firewall of the hosting may refuse us.',
        bg: () => 'Опитайте отново; ако продължава, може би защитна стена на хостинга ни отказва.',
      },
    },
    'redirects.loop': {
      what: { en: 'The address redirects in circles.', bg: 'Адресът препраща в кръг.' },
      todo: {
        en: () => 'Open the store in your browser, and copy the address that you see there.',
        bg: () => 'Отворете магазина в браузъра си и копирайте адреса, който виждате там.',
      },
    },
    'redirects.api': {
      what: { en: 'The store sends programs to another address.', bg: 'Магазинът препраща програмите към друг адрес.' },
      todo: {
        en: ({ to }) => (to === '' ? 'Copy the final address from your browser.' : `Type ${to} as its address.`),
        bg: ({ to }) => (to === '' ? 'Копирайте крайния адрес от браузъра си.' : `Напишете ${to} като негов адрес.`),
      },
    },
    locked: {
      what: { en: 'The whole store asks for a password.', bg: 'Целият магазин иска парола.' },
      todo: {
        en: () => 'Remove the password of the hosting (as for a store under construction), and try again.',
        bg: () => 'Премахнете паролата на хостинга (като за магазин в строеж) и опитайте отново.',
      },
    },
    firewall: {
      what: { en: 'A firewall in front of the store refuses us.', bg: 'Защитна стена пред магазина ни отказва.' },
      todo: {
        en: () => 'Allow /wp-json/wc/ in the security plugin or at the hosting, and try again.',
        bg: () => 'Разрешете /wp-json/wc/ в добавката за сигурност или при хостинга и опитайте отново.',
      },
    },
    challenge: {
      what: { en: 'Cloudflare, or a guard like it, wants to see a browser.', bg: 'Cloudflare или подобна защита иска да види браузър.' },
      todo: {
        en: () => 'Add a rule there that skips the challenge for /wp-json/*, and try again.',
        bg: () => 'Добавете там правило, което пропуска проверката за /wp-json/*, и опитайте отново.',
      },
    },
    maintenance: {
      what: { en: 'The store is closed for maintenance.', bg: 'Магазинът е затворен за поддръжка.' },
      todo: { en: () => 'Try again when it is open.', bg: () => 'Опитайте отново, когато е отворен.' },
    },
    broken: {
      what: { en: 'The store answers with an error.', bg: 'Магазинът отговаря с грешка.' },
      todo: {
        en: ({ status }) => `It answered ${status}. Check that it opens in your browser, and try again.`,
        bg: ({ status }) => `Отговорът беше ${status}. Проверете дали се отваря в браузъра ви и опитайте отново.`,
      },
    },
    'site.other': {
      what: { en: 'There is no store of this kind at the address.', bg: 'На този адрес няма такъв магазин.' },
      todo: {
        en: ({ title }) => `We looked for ${title}. Check the address, or choose a shop of your own.`,
        bg: ({ title }) => `Търсихме ${title}. Проверете адреса или изберете собствен магазин.`,
      },
    },
    'shop.missing': {
      what: { en: 'WordPress is there, but no store.', bg: 'WordPress е там, но магазин няма.' },
      todo: {
        en: ({ title }) => `Activate ${title} under Plugins, or type the address at which the store is.`,
        bg: ({ title }) => `Активирайте ${title} в „Разширения“ или напишете адреса, на който е магазинът.`,
      },
    },
    'shop.old': {
      what: { en: 'The version of the store is too old.', bg: 'Версията на магазина е твърде стара.' },
      todo: {
        en: ({ title, needed, version }) =>
          `Update ${title} under Plugins, after a backup: version ${needed} or later is needed${version === '' ? '' : `, and yours is ${version}`}. Then try again.`,
        bg: ({ title, needed, version }) =>
          `Направете резервно копие и обновете ${title} в „Разширения“: нужна е версия ${needed} или по-нова${version === '' ? '' : `, а вашата е ${version}`}. После опитайте отново.`,
      },
    },
    'rest.closed': {
      what: { en: 'A security plugin has closed the store’s REST API.', bg: 'Добавка за сигурност е затворила REST API на магазина.' },
      todo: {
        en: () => 'Allow it for /wp-json/wc/v3 in the plugin (Wordfence, Solid Security, All-In-One Security …), and try again.',
        bg: () => 'Разрешете го за /wp-json/wc/v3 в добавката (Wordfence, Solid Security, All-In-One Security …) и опитайте отново.',
      },
    },
    'rest.html': {
      what: { en: 'The store’s REST API answers with a page.', bg: 'REST API на магазина отговаря със страница.' },
      todo: {
        en: () => 'Switch off a “coming soon” page, and exclude /wp-json/ from the cache.',
        bg: () => 'Изключете страницата „очаквайте скоро“ и извадете /wp-json/ от кеша.',
      },
    },
    'keys.refused': {
      what: { en: 'The store refuses the key.', bg: 'Магазинът отказва ключа.' },
      todo: { en: () => 'Copy both parts again, whole, or make a new key.', bg: () => 'Копирайте отново двете части изцяло или създайте нов ключ.' },
    },
    'keys.unseen': {
      what: { en: 'The store knows no such key, or its hosting takes the key away.', bg: 'Магазинът не познава такъв ключ или хостингът го премахва.' },
      todo: {
        en: () => 'Copy both parts again. If they are right, ask the hosting to pass on the header “Authorization”, and https to PHP.',
        bg: () => 'Копирайте отново двете части. Ако са верни, поискайте от хостинга да предава полето „Authorization“ и https към PHP.',
      },
    },
    'keys.user': {
      what: { en: 'The user of the key may not see orders.', bg: 'Потребителят на ключа няма право да вижда поръчки.' },
      todo: {
        en: () => 'Make the key, or approve, as an administrator or a shop manager.',
        bg: () => 'Създайте ключа или одобрете като администратор или управител на магазина.',
      },
    },
    'grant.ended': {
      what: { en: 'The store no longer lets the app in.', bg: 'Магазинът вече не допуска приложението.' },
      todo: {
        en: ({ title }) => `Approve the app again at ${title}, then try again.`,
        bg: ({ title }) => `Одобрете приложението отново в ${title} и опитайте пак.`,
      },
    },
    'grant.less': {
      what: { en: 'The store let the app in, but not to its orders.', bg: 'Магазинът допусна приложението, но не и до поръчките си.' },
      todo: {
        en: ({ title, needed }) =>
          `${needed} is missing. Begin again, and approve all that ${title} shows. If you are not asked for it there, tell the person who sent you the link.`,
        bg: ({ title, needed }) =>
          `Липсва ${needed}. Започнете отново и одобрете всичко, което ${title} покаже. Ако там не ви попита за това, кажете на този, който ви изпрати връзката.`,
      },
    },
    'app.refused': {
      what: { en: 'The app is not set up right on our side.', bg: 'Приложението не е настроено правилно при нас.' },
      todo: {
        en: () => 'The person who runs this service must fix it: there is nothing for you to do in the store. Try again once they have.',
        bg: () => 'Трябва да го поправи този, който поддържа услугата: в магазина не е нужно да правите нищо. Опитайте отново след това.',
      },
    },
    'address.other': {
      what: { en: 'This is not the address that we need.', bg: 'Това не е адресът, който ни трябва.' },
      todo: {
        en: ({ title, to }) => `Type the address that ${title} gave the store. It looks like ${to}.`,
        bg: ({ title, to }) => `Напишете адреса, който ${title} е дал на магазина. Изглежда като ${to}.`,
      },
    },
    'shop.frozen': {
      what: { en: 'The store is frozen.', bg: 'Магазинът е замразен.' },
      todo: { en: ({ title }) => `Pay its bill at ${title}, and try again.`, bg: ({ title }) => `Платете сметката му в ${title} и опитайте отново.` },
    },
    'shop.locked': {
      what: { en: 'The store is locked.', bg: 'Магазинът е заключен.' },
      todo: {
        en: ({ title }) => `Its owner must ask the support of ${title}.`,
        bg: ({ title }) => `Собственикът му трябва да се обърне към поддръжката на ${title}.`,
      },
    },
    throttled: {
      what: { en: 'The store asks us to slow down.', bg: 'Магазинът иска по-малко заявки.' },
      todo: { en: () => 'Wait a minute, and try again.', bg: () => 'Изчакайте минута и опитайте отново.' },
    },
    'scope.missing': {
      what: { en: 'The app may not read orders.', bg: 'Приложението няма право да чете поръчки.' },
      todo: {
        en: ({ needed }) => `Add the scope ${needed} to the app, release or save it, install it in the store again, and try again.`,
        bg: ({ needed }) => `Добавете на приложението право ${needed}, публикувайте или запазете, инсталирайте го отново в магазина и опитайте пак.`,
      },
    },
    'data.denied': {
      what: { en: 'The app may not see any order.', bg: 'Приложението няма право да вижда поръчки.' },
      todo: {
        en: ({ title }) => `The person who made the app must request access to protected customer data at ${title}. Then try again.`,
        bg: ({ title }) => `Който е направил приложението, трябва да поиска достъп до protected customer data в ${title}. След това опитайте отново.`,
      },
    },
  } satisfies Readonly<Record<StoreProblemCode, InBoth<Problem>>>,
  back: {
    denied: { en: 'You said no. Nothing was changed.', bg: 'Отказахте. Нищо не е променено.' },
    deniedBody: {
      en: 'You can approve later, or paste keys that you make yourself.',
      bg: 'Можете да одобрите по-късно или да поставите ключове, които създадете сами.',
    },
    awaited: { en: 'The keys have not come yet', bg: 'Ключовете още не са дошли' },
    awaitedBody: {
      en: 'We wait for your store to send them; this page looks again by itself. If the store showed an error, go back and try again, or paste keys.',
      bg: 'Чакаме магазинът да ги изпрати; страницата проверява сама. Ако магазинът показа грешка, върнете се и опитайте отново или поставете ключове.',
    },
    refused: { en: 'The keys came, but do not work', bg: 'Ключовете дойдоха, но не работят' },
    unusable: { en: 'The keys came, but the store can’t be used yet', bg: 'Ключовете дойдоха, но магазинът още не може да се ползва' },
    again: { en: 'Try again', bg: 'Опитайте отново' },
    elsewhere: { en: 'Go back to where you came from', bg: 'Върнете се там, откъдето дойдохте' },
    elsewhereBody: {
      en: 'Open the link that you were sent in the browser in which you began. What you approved is kept.',
      bg: 'Отворете връзката, която ви изпратиха, в браузъра, в който започнахте. Одобреното от вас е запазено.',
    },
  },
  keys: {
    title: { en: 'Make keys and paste them', bg: 'Създайте ключове и ги поставете' },
    intro: {
      en: (steps: number): string => `${steps} steps in the administration of your store:`,
      bg: (steps: number) => `${steps} стъпки в администрацията на магазина:`,
    },
    introWays: {
      en: 'Either of these ways is enough. If you have no app yet, take the first.',
      bg: 'Всеки от тези начини е достатъчен. Ако още нямате приложение, изберете първия.',
    },
    label: {
      en: (n: number): string => form.en(n, 'First part of the key', 'Second part of the key'),
      bg: (n: number) => form.bg(n, 'Първа част на ключа', 'Втора част на ключа'),
    },
    missing: { en: 'Both parts are needed.', bg: 'Нужни са и двете части.' },
    verb: { en: 'Try the keys and go on', bg: 'Проверете ключовете и продължете' },
  },
  tooMany: { en: 'Too many tries. Wait a minute, and try again.', bg: 'Твърде много опити. Изчакайте минута и опитайте отново.' },
});
