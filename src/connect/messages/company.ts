import { mailSayings } from '../../contract/mail-words.ts';
import { type InBoth, messages } from '../../contract/messages.ts';
import { form } from '../../contract/plural.ts';
import type { CompanyField } from '../../operations/onboarding/own-company.ts';

const fields: Readonly<Record<CompanyField, InBoth<{ label: string; hint?: string; wrong: string }>>> = {
  companyUic: {
    label: { en: 'ЕИК (company number)', bg: 'ЕИК' },
    hint: {
      en: '9 digits, 13 for a branch, or your personal number if you are a natural person in the BULSTAT register.',
      bg: '9 цифри, 13 за клон или вашето ЕГН/ЛНЧ, ако сте физическо лице в регистър БУЛСТАТ.',
    },
    wrong: {
      en: 'This is not a ЕИК: a digit is missing, or one is mistyped. Copy it from your registration.',
      bg: 'Това не е ЕИК: липсва цифра или има сгрешена. Препишете го от регистрацията си.',
    },
  },
  companyName: {
    label: { en: 'Name of the company', bg: 'Име на фирмата' },
    hint: { en: 'As it is registered, such as Example Ltd.', bg: 'Както е в регистрацията, например „Пример“ ЕООД.' },
    wrong: {
      en: 'Write the name of the company, without web or e-mail addresses and telephone numbers. Put a space after a dot.',
      bg: 'Напишете името на фирмата, без уеб и имейл адреси и телефони. След точка сложете интервал.',
    },
  },
  companyAddress: {
    label: { en: 'Address of the company', bg: 'Адрес на фирмата' },
    hint: { en: 'As it is registered.', bg: 'Седалище и адрес на управление.' },
    wrong: {
      en: 'Write the postal address of the company, without web or e-mail addresses and telephone numbers. Put a space after a dot.',
      bg: 'Напишете пощенския адрес на фирмата, без уеб и имейл адреси и телефони. След точка сложете интервал.',
    },
  },
  vat: {
    label: { en: 'Is the company registered for VAT?', bg: 'Регистрирана ли е фирмата по ЗДДС?' },
    wrong: { en: 'Say whether the company is registered for VAT.', bg: 'Кажете дали фирмата е регистрирана по ЗДДС.' },
  },
  nraNumber: {
    label: { en: 'Number of the shop at the NRA', bg: 'Номер на магазина в НАП' },
    hint: {
      en: 'RF and seven digits, from the answer to your declaration of the e-shop.',
      bg: 'RF и седем цифри. НАП ви го дава, когато регистрирате онлайн магазина.',
    },
    wrong: {
      en: 'The numbers that we know are RF and seven digits. If yours really is different, send it again as it is.',
      bg: 'Познатите ни номера са RF и седем цифри. Ако вашият наистина е друг, изпратете го още веднъж така.',
    },
  },
  domain: {
    label: { en: 'Address of the shop', bg: 'Адрес на магазина' },
    hint: { en: 'Exactly as it is in the declaration to the NRA, with or without https://.', bg: 'Точно както е подаден в НАП, със или без https://.' },
    wrong: { en: 'Write the address of the shop, such as shop.example.', bg: 'Напишете адреса на магазина, например shop.example.' },
  },
  name: {
    label: { en: 'Name of the shop', bg: 'Име на магазина' },
    hint: { en: 'As your customers know it: it is on the documents that they get.', bg: 'Както го знаят клиентите ви: стои в документите, които получават.' },
    wrong: {
      en: 'Write the name of the shop, without web or e-mail addresses and telephone numbers: “Corner”, not “corner.bg”. Put a space after a dot.',
      bg: 'Напишете името на магазина, без уеб и имейл адреси и телефони: „Ъгълът“, а не „ugalat.bg“. След точка сложете интервал.',
    },
  },
  customerPhone: {
    label: { en: 'Phone', bg: 'Телефон' },
    hint: { en: 'For your customers, such as 0888 123 456.', bg: 'За клиентите ви, например 0888 123 456.' },
    wrong: {
      en: 'This is not a phone number. Write it with its code, such as 0888 123 456.',
      bg: 'Това не е телефонен номер. Напишете го с кода, например 0888 123 456.',
    },
  },
  customerEmail: {
    label: { en: 'E-mail of the shop', bg: 'Имейл на магазина' },
    hint: { en: 'The file for the NRA comes here each month.', bg: 'Всеки месец тук идва файлът за НАП.' },
    wrong: { en: 'This is not an e-mail address.', bg: 'Това не е имейл адрес.' },
  },
  auditRecipientEmails: {
    label: { en: 'E-mail of the accountant', bg: 'Имейл на счетоводителя' },
    hint: {
      en: 'The file goes there, too. Separate several with commas; you may leave it empty.',
      bg: 'Файлът се изпраща и там. Няколко адреса се отделят със запетаи; може да остане празно.',
    },
    wrong: { en: 'One of these is not an e-mail address, or there are more than 20.', bg: 'Някой от адресите не е имейл адрес или са повече от 20.' },
  },
  auditGenerationDay: {
    label: { en: 'Day of the month for the file', bg: 'Ден от месеца за файла' },
    hint: {
      en: 'On this day the file of the month before is made and mailed. It must be filed by the 15th.',
      bg: 'На този ден файлът за предходния месец се изготвя и изпраща. Подава се до 15-о число.',
    },
    wrong: { en: 'Write a day from 1 to 28.', bg: 'Напишете ден от 1 до 28.' },
  },
  receiptStartNumber: {
    label: { en: 'First document number', bg: 'Първи номер на документ' },
    hint: {
      en: 'Only if this company has given its customers such documents from another program: the number after its last one.',
      bg: 'Само ако фирмата е издавала такива документи с друга програма: номерът след последния.',
    },
    wrong: { en: 'Write a whole number, or leave it empty.', bg: 'Напишете цяло число или оставете празно.' },
  },
};

/** The merchant's company and shop. */
export const company = messages({
  title: { en: 'Your company', bg: 'Вашата фирма' },
  introUic: { en: 'We ask for the company number first, and check it at once.', bg: 'Започваме с ЕИК – проверяваме го веднага.' },
  intro: {
    en: 'This goes into the documents of your sales and the monthly file for the NRA. Nothing of it is sent anywhere else.',
    bg: 'Тези данни влизат в документите за продажбите ви и в месечния файл за НАП. Не се изпращат никъде другаде.',
  },
  fields,
  mailTo: {
    label: { en: 'Where do we write if only you can fix something?', bg: 'Къде да пишем, ако само вие можете да поправите нещо?' },
    hint: {
      en: 'An e-mail address. You may leave it empty; then nobody tells you, for example, that your store stopped letting us in.',
      bg: 'Имейл адрес. Можете да го оставите празно; тогава никой няма да ви съобщи например, че магазинът ви вече не ни допуска.',
    },
    wrong: { en: 'This is not an e-mail address.', bg: 'Това не е имейл адрес.' },
  },
  check: { en: 'Check it', bg: 'Проверете' },
  uicFine: { en: 'The number is right.', bg: 'Номерът е верен.' },
  vat: {
    yes: { en: 'Yes', bg: 'Да' },
    no: { en: 'No', bg: 'Не' },
    noMeans: {
      en: 'Then every sale is in tax group A: no VAT is charged, which you will confirm with your rates later.',
      bg: 'Тогава всяка продажба е в данъчна група А: не се начислява ДДС. По-късно ще го потвърдите при ставките.',
    },
  },
  noNumber: {
    title: { en: 'No number from the NRA yet?', bg: 'Още нямате номер от НАП?' },
    words: {
      en: [
        'Anyone who sells online declares the shop to the NRA before the first sale, with the form of annex 33 to Ordinance Н-18, by electronic signature on the portal of the NRA. The answer has the number.',
        'Come back by the same link when you have it: all that you typed is kept when you press the button.',
      ],
      bg: [
        'Който продава през интернет, подава в НАП информация за магазина преди първата продажба – по образеца от приложение № 33 към Наредба № Н-18, с електронен подпис през портала на НАП. Номерът е в отговора.',
        'Когато го получите, върнете се по същата връзка: при натискане на бутона всичко написано се запазва.',
      ],
    },
  },
  earlierDocuments: { en: 'Did another program give out documents before?', bg: 'Издавала ли е друга програма документи преди?' },
  save: { en: 'Continue', bg: 'Продължете' },
  wrongAbove: {
    en: (n: number): string => form.en(n, 'One field needs correcting.', `${n} fields need correcting.`),
    bg: (n: number) => form.bg(n, 'Попълнете правилно още едно поле.', `Попълнете правилно още ${n} полета.`),
  },
  nothing: { en: 'Nothing is typed here yet.', bg: 'Тук още няма нищо попълнено.' },
  refused: { en: (words: string): string => `The tax service did not accept it: ${words}`, bg: (words: string) => `Услугата за отчитане не го прие: ${words}` },
  down: {
    en: 'The tax service does not answer at the moment. Nothing is lost: press the button again in a minute.',
    bg: 'В момента услугата за отчитане не отговаря. Нищо не е загубено: натиснете бутона отново след минута.',
  },
  running: { en: 'Your shop is being made. Press the button again in a minute.', bg: 'Обектът ви се създава. Натиснете бутона отново след минута.' },
  unclear: {
    en: 'We asked the tax service for your shop, and its answer was lost. So that no second one is made, the person who sent you the link must look; write to them.',
    bg: 'Поискахме обекта ви от услугата за отчитане и отговорът ѝ се загуби. За да не се създаде втори, трябва да погледне този, който ви изпрати връзката; пишете му.',
  },
  waits: {
    words: {
      en: (company: string): string => `No shop is made until it is confirmed that the company ${company} is yours.`,
      bg: (company: string) => `Обект не се създава, докато не се потвърди, че фирмата с ЕИК ${company} е ваша.`,
    },
    mailed: {
      en: (mailbox: string): string =>
        `Open the mail that we send to ${mailbox}, and confirm it by the link there, which holds if you change what you typed. An address that nobody has confirmed gets one mail a day. The person who sent you here can confirm it, too.`,
      bg: (mailbox: string) =>
        `Отворете писмото, което изпращаме на ${mailbox}, и потвърдете с връзката в него: тя важи и ако промените написаното. На непотвърден адрес изпращаме по едно писмо на ден. Може да го потвърди и този, който ви е поканил.`,
    },
    unmailed: {
      en: 'The person who sent you here, or runs this service, must confirm it. If they don’t know yet, write to them.',
      bg: 'Трябва да го потвърди този, който ви е поканил или поддържа услугата. Ако още не знае, пишете му.',
    },
    goesOn: { en: 'You can close this page and come back by your link.', bg: 'Можете да затворите тази страница и да се върнете с връзката си.' },
    look: { en: 'It is confirmed: go on', bg: 'Потвърдено е: продължете' },
    again: { en: 'Send the mail once more', bg: 'Изпратете писмото отново' },
    change: { en: 'Change what I typed', bg: 'Променете написаното' },
  },
  confirmed: {
    en: 'It is confirmed that the company is yours. Look at what you typed, and continue.',
    bg: 'Потвърдено е, че фирмата е ваша. Прегледайте написаното и продължете.',
  },
  unconfirmed: {
    en: 'The person who sent you here did not confirm that the company is yours. Write to them, or type your own.',
    bg: 'Този, който ви е поканил, не потвърди, че фирмата е ваша. Пишете му или напишете своята.',
  },
  otherCompany: {
    en: (uic: string): string => `This link is for the company ${uic}. For another one, ask the person who sent it.`,
    bg: (uic: string) => `Тази връзка е за фирмата с ЕИК ${uic}. За друга попитайте този, който ви я изпрати.`,
  },
  offered: { en: 'Your shops', bg: 'Вашите обекти' },
  offeredHint: {
    en: 'You connected a store to these before. Choose one, or make a new one below.',
    bg: 'И преди сте свързвали магазин към тях. Изберете един или създайте нов по-долу.',
  },
  choose: { en: 'Use this one', bg: 'Използвайте този' },
  before: { en: 'The same company as before?', bg: 'Същата фирма като преди?' },
  beforeHint: {
    en: (moment: string): string =>
      `This store was connected here until ${moment}. With the same company it goes on: with its earlier orders, its settings, and the mailbox that we write to. What was paid in between is left out, unless you start from an earlier day.`,
    bg: (moment: string) =>
      `Този магазин беше свързан тук до ${moment}. Със същата фирма той продължава: с предишните си поръчки, с настройките си и с пощата, на която пишем. Платеното междувременно не се отчита, освен ако започнете от по-ранен ден.`,
  },
  same: { en: 'Yes, the same', bg: 'Да, същата' },
  another: { en: 'Another company', bg: 'Друга фирма' },
  anotherHint: {
    en: 'The store then starts afresh here. Its earlier orders stay with the previous company, and only that company can record their refunds, by hand.',
    bg: 'Тогава магазинът започва тук отначало. Предишните му поръчки остават на предишната фирма и само тя може да отчете връщания по тях, на ръка.',
  },
  unnamed: { en: (id: string): string => `Shop ${id}`, bg: (id: string) => `Обект ${id}` },
  given: { en: (name: string): string => `Your store is connected to the shop ${name}.`, bg: (name: string) => `Магазинът ви се свързва към обекта ${name}.` },
  chosen: { en: 'You chose it. If that was a mistake, choose again.', bg: 'Вие го избрахте. Ако е по погрешка, изберете отново.' },
  chosenFinal: { en: 'You chose it, and your store is connected to it.', bg: 'Вие го избрахте и магазинът ви е свързан към него.' },
  chooseAgain: { en: 'Choose again', bg: 'Изберете отново' },
  givenHint: {
    en: 'The person who sent you the link chose it. If it is not yours, stop here and write to them.',
    bg: 'Избра го този, който ви изпрати връзката. Ако не е ваш, спрете тук и му пишете.',
  },
  made: {
    en: 'Your shop is made. If you change something here, it is changed there. The company and the first document number stay; if they are wrong, write to the person who sent you the link.',
    bg: 'Обектът ви е създаден. Ако промените нещо тук, променя се и там. Фирмата и първият номер на документ остават; ако са сгрешени, пишете на този, който ви изпрати връзката.',
  },
  next: { en: 'Continue', bg: 'Продължете' },
});

/** The page by which a mailbox confirms mails and a company, or says that the store is another's. */
export const confirm = messages({
  ...mailSayings,
  title: { en: 'Is this your company?', bg: 'Това вашата фирма ли е?' },
  words: {
    en: (company: string): string => `A store is to be connected here for the company with the number ${company}, and your address was given for it.`,
    bg: (company: string) => `Тук се свързва магазин за фирмата с ЕИК ${company} и за нея е посочен вашият адрес.`,
  },
  yes: { en: 'Yes, it is my company', bg: 'Да, фирмата е моя' },
  thanks: {
    en: 'Thank you. Go back to the page from which we wrote to you: you can go on there as soon as everything is confirmed.',
    bg: 'Благодарим. Върнете се на страницата, от която ви писахме: там можете да продължите, щом всичко е потвърдено.',
  },
  mailsTitle: { en: 'Mails about an online store', bg: 'Писма за онлайн магазин' },
  mailsWords: {
    en: 'Your address was given for mails about an online store whose paid orders are recorded here.',
    bg: 'Вашият адрес е посочен за писма за онлайн магазин, чиито платени поръчки се отчитат тук.',
  },
  mailsYes: { en: 'Yes, write to me here', bg: 'Да, пишете ми тук' },
  mailsThanks: { en: 'Thank you. Mails about your store come here from now on.', bg: 'Благодарим. Писмата за магазина ви вече идват тук.' },
  mailsCome: { en: 'Mails about an online store come to your address.', bg: 'На вашия адрес идват писма за онлайн магазин.' },
  refused: {
    en: 'No mails about this store come to your address. The person who runs this service is informed.',
    bg: 'На адреса ви не идват писма за този магазин. Този, който поддържа услугата, е уведомен.',
  },
  over: { en: 'There is nothing left to confirm by this link.', bg: 'С тази връзка вече няма какво да се потвърди.' },
});
