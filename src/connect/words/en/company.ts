import type { CompanyField } from '../../../operations/onboarding/own-company.ts';

type Field = { label: string; hint?: string; wrong: string };

const fields: Record<CompanyField, Field> = {
  companyUic: {
    label: 'ЕИК (company number)',
    hint: '9 digits, 13 for a branch, or your personal number if you are a natural person in the BULSTAT register.',
    wrong: 'This is not a ЕИК: a digit is missing, or one is mistyped. Copy it from your registration.',
  },
  companyName: { label: 'Name of the company', hint: 'As it is registered, such as Example Ltd.', wrong: 'Write the name of the company.' },
  companyAddress: { label: 'Address of the company', hint: 'As it is registered.', wrong: 'Write the address of the company.' },
  vat: { label: 'Is the company registered for VAT?', wrong: 'Say whether the company is registered for VAT.' },
  nraNumber: {
    label: 'Number of the shop at the NRA',
    hint: 'RF and seven digits, from the answer to your declaration of the e-shop.',
    wrong: 'The numbers that we know are RF and seven digits. If yours really is another, send it once more as it is.',
  },
  domain: {
    label: 'Address of the shop',
    hint: 'Exactly as it is in the declaration to the NRA, with or without https://.',
    wrong: 'Write the address of the shop, such as shop.example.',
  },
  name: { label: 'Name of the shop', hint: 'As your customers know it: it is on the documents that they get.', wrong: 'Write the name of the shop.' },
  customerPhone: {
    label: 'Phone',
    hint: 'For your customers, such as 0888 123 456.',
    wrong: 'This is not a phone number. Write it with its code, such as 0888 123 456.',
  },
  customerEmail: {
    label: 'E-mail of the shop',
    hint: 'The file for the NRA comes here each month.',
    wrong: 'This is not an e-mail address.',
  },
  auditRecipientEmails: {
    label: 'E-mail of the accountant',
    hint: 'The file goes there, too. Several have commas between them; you may leave it empty.',
    wrong: 'One of these is not an e-mail address, or there are more than 20.',
  },
  auditGenerationDay: {
    label: 'Day of the month for the file',
    hint: 'On this day the file of the month before is made and mailed. It must be filed by the 15th.',
    wrong: 'Write a day from 1 to 28.',
  },
  receiptStartNumber: {
    label: 'First document number',
    hint: 'Only if this company has given its customers such documents from another program: the number after its last one.',
    wrong: 'Write a whole number, or leave it empty.',
  },
};

/** The merchant's company and shop. */
export const company = {
  title: 'Your company',
  introUic: 'We ask for the company number first, and check it at once.',
  intro: 'This goes into the documents of your sales and the monthly file for the NRA. Nothing of it is sent anywhere else.',
  fields,
  mailTo: {
    label: 'Where do we write if only you can put something right?',
    hint: 'An e-mail address. You may leave it empty; then nobody tells you, for example, that your store stopped letting us in.',
    wrong: 'This is not an e-mail address.',
  },
  check: 'Check it',
  uicFine: 'The number is right.',
  vat: {
    yes: 'Yes',
    no: 'No',
    noMeans: 'Then every sale is of tax group A: no VAT is charged, which you will confirm with your rates later.',
  },
  noNumber: {
    title: 'No number from the NRA yet?',
    words: [
      'Whoever sells online declares the shop to the NRA before the first sale, with the form of annex 33 to Ordinance Н-18, by electronic signature on the portal of the NRA. The answer has the number.',
      'Come back by the same link when you have it: all that you typed is kept when you press the button.',
    ],
  },
  earlierDocuments: 'Did another program give out documents before?',
  save: 'Continue',
  wrongAbove: (n: number): string => (n === 1 ? 'One field needs a look.' : `${n} fields need a look.`),
  refused: (words: string): string => `The tax service did not take it: ${words}`,
  down: 'The tax service does not answer at the moment. Nothing is lost: press the button again in a minute.',
  running: 'Your shop is being made. Press the button again in a minute.',
  unclear:
    'We asked the tax service for your shop, and its answer was lost. So that no second one is made, whoever sent you the link must look; write to them.',
  waits: {
    words: (company: string): string => `No shop is made until it is confirmed that the company ${company} is yours.`,
    mailed: (mailbox: string): string =>
      `Open the mail that we send to ${mailbox}, and confirm it by the link there. Whoever sent you here can confirm it, too.`,
    unmailed: 'Whoever sent you here, or runs this service, must confirm it. If they don’t know yet, write to them.',
    goesOn: 'You can close this page and come back by your link.',
    look: 'It is confirmed: go on',
    again: 'Send the mail once more',
    change: 'Change what I typed',
  },
  confirmed: 'It is confirmed that the company is yours. Look at what you typed, and continue.',
  unconfirmed: 'Whoever sent you here did not confirm that the company is yours. Write to them, or type your own.',
  otherCompany: (uic: string): string => `This link is for the company ${uic}. For another one, ask whoever sent it.`,
  offered: 'Your shops',
  offeredHint: 'You connected a store to these before. Choose one, or make a new one below.',
  choose: 'Use this one',
  before: 'The same company as before?',
  beforeHint: (moment: string): string =>
    `This store was connected here until ${moment}. With the same company it goes on: with its earlier orders, its settings, and the mailbox that we write to. What was paid in between is left out, unless you start from an earlier day.`,
  same: 'Yes, the same',
  another: 'Another company',
  anotherHint:
    'Then the store begins anew here. Its earlier orders stay with the company of before, and refunds of them are recorded by nobody but that company, by hand.',
  unnamed: (id: string): string => `Shop ${id}`,
  given: (name: string): string => `Your store is connected to the shop ${name}.`,
  chosen: 'You chose it. If that was a mistake, choose again.',
  chosenFinal: 'You chose it, and your store is connected to it.',
  chooseAgain: 'Choose again',
  givenHint: 'Whoever sent you the link chose it. If it is not yours, stop here and write to them.',
  made: 'Your shop is made. If you change something here, it is changed there. The company and the first document number stay; if they are wrong, write to whoever sent you the link.',
  next: 'Continue',
};
