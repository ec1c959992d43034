import { type LocalizedText, messages } from '../../contract/messages.ts';

/** The step in which the store tells us of its orders. */
export const webhooks = messages({
  title: { en: 'Your store tells us of its orders', bg: 'Свързване на известията' },
  intro: {
    en: 'We make notifications in your store: with each new or changed order it sends us a message. Until the last step they are only kept, and nothing is recorded.',
    bg: 'Създаваме известия в магазина ви: при всяка нова или променена поръчка той ни изпраща съобщение. До последната стъпка те само се пазят и нищо не се отчита.',
  },
  introOwn: {
    en: 'Your shop sends each order to an address of its own, signed with a secret. Until the last step orders are only kept, and nothing is recorded.',
    bg: 'Магазинът ви изпраща всяка поръчка на собствен адрес, подписана с таен ключ. До последната стъпка поръчките само се пазят и нищо не се отчита.',
  },
  introByHand: {
    en: 'Your key may only read, so you make the notifications yourself. Until the last step they are only kept, and nothing is recorded.',
    bg: 'Ключът ви може само да чете, затова създавате известията сами. До последната стъпка те само се пазят и нищо не се отчита.',
  },
  agree: {
    en: 'Also save my newest order as it is, so that it sends the first message',
    bg: 'Запазете и най-новата ми поръчка, както е, за да изпрати първото съобщение',
  },
  agreeHint: {
    en: 'Nothing in the order changes, and your customer gets no mail from it.',
    bg: 'В поръчката нищо не се променя и клиентът не получава писмо.',
  },
  make: { en: 'Make the notifications', bg: 'Създайте известията' },
  makeOwn: { en: 'Make the address and the secret', bg: 'Създайте адрес и ключ' },
  makeByHand: { en: 'Show the steps', bg: 'Покажете стъпките' },
  made: {
    en: (count: number): string =>
      count === 0
        ? 'The app brings its notifications with it: none has to be made in your store.'
        : `${count} notifications are in your store, read back and active.`,
    bg: (count: number) =>
      count === 0
        ? 'Приложението носи известията си със себе си: в магазина ви не се прави нито едно.'
        : `В магазина ви има ${count} известия, проверени и активни.`,
  },
  missing: { en: (topics: string): string => `These are missing: ${topics}.`, bg: (topics: string) => `Липсват: ${topics}.` },
  check: { en: 'Check the notifications in my store, and fix them', bg: 'Проверете известията в магазина ми и ги поправете' },
  failed: { en: 'The notifications could not be made', bg: 'Известията не можаха да бъдат създадени' },
  again: { en: 'Try again', bg: 'Опитайте отново' },
  notMade: { en: 'Not all notifications are in your store yet.', bg: 'В магазина ви още няма всички известия.' },
  making: {
    en: 'The notifications are being made or checked in your store. It takes a minute at most; this page shows when it is done.',
    bg: 'Известията в магазина ви се създават или проверяват. Отнема най-много минута; тази страница ще покаже, когато е готово.',
  },
  first: { en: 'First message', bg: 'Първо съобщение' },
  waits: {
    en: 'We wait for the first signed message. Stores send it when somebody opens a page; you can go on meanwhile.',
    bg: 'Чакаме първото подписано съобщение. Магазините го изпращат, когато някой отвори страница; междувременно можете да продължите.',
  },
  waitsChange: {
    en: 'We wait for the first signed message. It comes with the next order, or the next change of one; you can go on meanwhile.',
    bg: 'Чакаме първото подписано съобщение. То идва със следващата поръчка или със следващата промяна в някоя; междувременно можете да продължите.',
  },
  waitsOwn: {
    en: 'We are waiting for the first valid request. Run the code, then look here; you can go on meanwhile.',
    bg: 'Чакаме първото валидно съобщение. Пуснете кода и погледнете тук; междувременно можете да продължите.',
  },
  came: { en: 'A signed message came', bg: 'Дойде подписано съобщение' },
  order: { en: (number: string): string => `order ${number}`, bg: (number: string) => `поръчка ${number}` },
  bad: { en: 'The last request was not accepted', bg: 'Последната заявка не беше приета' },
  resave: { en: 'Save the newest order as it is', bg: 'Запазете най-новата поръчка, както е' },
  resaved: {
    en: 'Your newest order was saved as it was. Its message comes in a moment.',
    bg: 'Най-новата ви поръчка беше запазена, както е. Съобщението ѝ идва след миг.',
  },
  noOrder: { en: 'The store has no order yet. The first one will send its message.', bg: 'Магазинът още няма поръчка. Първата ще изпрати съобщението си.' },
  next: { en: 'Continue', bg: 'Продължете' },
  byHandTitle: { en: 'Steps in your store', bg: 'Стъпки в магазина' },
  addressLabel: { en: 'Address', bg: 'Адрес' },
  secretTitle: { en: 'Secret', bg: 'Таен ключ' },
  secretOnce: {
    en: 'This is shown once. Copy it now, into the settings of your shop; if it gets lost, make another.',
    bg: 'Показва се само веднъж. Копирайте го сега в настройките на магазина; ако се изгуби, създайте друг.',
  },
  connectionCode: { en: 'Connection code, for our module in your shop', bg: 'Код за свързване, за нашия модул в магазина' },
  secretHidden: {
    en: 'The secret was shown once. If it got lost, make another: then the old one no longer works.',
    bg: 'Тайният ключ беше показан веднъж. Ако се е изгубил, създайте друг: тогава старият спира да важи.',
  },
  fresh: { en: 'Make another secret', bg: 'Създайте друг ключ' },
  codeTitle: { en: 'Code that sends an order', bg: 'Код, който изпраща поръчка' },
  codeBody: {
    en: 'Each is a whole program with a trial order, which is never recorded. Copy its function, and call it with each changed order.',
    bg: 'Всеки е цяла програма с пробна поръчка, която никога не се отчита. Вземете функцията и я извиквайте при всяка променена поръчка.',
  },
  codeSecret: { en: 'YOUR SECRET', bg: 'ВАШИЯТ ТАЕН КЛЮЧ' },
  run: { en: (line: string): string => `Run it: ${line}`, bg: (line: string) => `Пуснете го: ${line}` },
  watch: { en: 'I have it – look for the first request', bg: 'Готово – чакам първата заявка' },
  /** By the code of what was refused. */
  refused: {
    'signature.mismatch': {
      en: 'The signature does not match. Sign the very bytes that you send, take the part of the secret after “whsec_” decoded from base64 as the key, and send the result in base64, not in hex.',
      bg: 'Подписът не съвпада. Подписвайте точно изпратените байтове, с частта от тайния ключ след „whsec_“, разкодирана от base64, и изпращайте резултата в base64, а не в hex.',
    },
    'signature.missing': {
      en: 'The request is not signed. It needs the headers webhook-id, webhook-timestamp and webhook-signature.',
      bg: 'Заявката не е подписана. Нужни са полетата webhook-id, webhook-timestamp и webhook-signature.',
    },
    'signature.expired': {
      en: 'The clock of your server is more than 5 minutes off. Set it right (NTP); the timestamp is in seconds, not milliseconds.',
      bg: 'Часовникът на сървъра ви греши с повече от 5 минути. Сверете го (NTP); времето е в секунди, а не в милисекунди.',
    },
    'body.not-json': {
      en: 'The body is not JSON. Send the text that json_encode or JSON.stringify gives, in UTF-8.',
      bg: 'Тялото не е JSON. Изпращайте текста от json_encode или JSON.stringify в UTF-8.',
    },
    'body.wrong-type': { en: 'The header Content-Type is not application/json.', bg: 'Полето Content-Type не е application/json.' },
    'body.encoded': {
      en: 'The body is compressed. Send it as it is, without Content-Encoding.',
      bg: 'Тялото е компресирано. Изпращайте го както е, без Content-Encoding.',
    },
    'body.too-large': { en: 'The body is over 5 MB. Send one order at a time.', bg: 'Тялото е над 5 MB. Изпращайте по една поръчка.' },
    'body.incomplete': { en: 'The request broke off on its way. Send it again.', bg: 'Заявката прекъсна по пътя. Изпратете я отново.' },
    'payload.unreadable': {
      en: 'It is signed well, but the order can’t be read. These fields are wrong:',
      bg: 'Подписана е добре, но поръчката не може да бъде прочетена. Грешни са тези полета:',
    },
  } as Readonly<Record<string, LocalizedText>>,
  developer: { en: 'A link for your developer', bg: 'Връзка за програмиста' },
  developerBody: {
    en: 'Does someone else do this step? The link opens only this page, for 14 days, with the address, the code and what comes in. Your secret is not in it.',
    bg: 'Друг ще свърши тази стъпка? Връзката отваря само тази страница, важи 14 дни и показва адреса, кода и какво пристига. Тайният ви ключ не е в нея.',
  },
  developerOnce: { en: 'Send this address to your developer. It is shown this once.', bg: 'Изпратете този адрес на програмиста си. Показва се само сега.' },
  refusedOther: { en: (code: string): string => `The reason is ${code}.`, bg: (code: string) => `Причината е ${code}.` },
});
