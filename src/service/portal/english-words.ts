import { limits } from '../../contract/limits.ts';
import { counted } from '../../contract/plural.ts';
import { sofiaDay, sofiaTime } from '../law/calendar.ts';
import type { ActRefusal, FormField, PortalWords } from './portal-words.ts';

const days = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'long', year: 'numeric' });
const months = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', month: 'long', year: 'numeric' });

const dayText = (day: string) => days.format(new Date(day));
const monthText = (month: string) => months.format(new Date(month));
const momentText = (at: string) => `${dayText(sofiaDay(at))}, ${sofiaTime(at).slice(0, 'hh:mm'.length)}`;

const fields: Readonly<Record<FormField, string>> = {
  version: 'Version that was filed',
  incomingNumber: 'Incoming number (Вх. №) of the agency',
  filedOn: 'Filed on',
  words: 'What the agency said (copy or paste its words)',
  note: 'What was agreed, and with whom',
};

export const englishWords: PortalWords = {
  lang: 'en',
  month: monthText,
  day: dayText,
  moment: momentText,
  ways: { label: 'Pages', month: 'The month', all: 'All months', other: 'Български' },
  states: {
    open: 'To come',
    generated: 'To be filed',
    filed: 'Filed',
    rejected: 'Rejected by the agency',
    nothing: 'Nothing to file',
    blocked: 'Not made: something is in the way',
    empty: 'No orders',
    'returns-only': 'Returns that no file tells',
    test: 'Test shop',
    'not-ours': 'Before the shop was here',
  },
  lacks: 'To be made again',
  incomplete: 'Ready, but incomplete',
  overdue: 'Not made yet, and late',
  acts: {
    title: 'Say what was done',
    none: 'There is nothing to say of this month yet.',
    heading: { filed: 'The file is filed', rejected: 'The agency found errors', again: 'Make the file', nothing: 'Nothing to file' },
    lead: {
      filed: 'This only notes it: you file in the agency’s portal, with your qualified signature. No reminders come afterwards.',
      rejected: 'The month is opened again, so that a corrected file can be made.',
      again: 'Makes a new version with the orders that are recorded by now. Earlier versions are kept.',
      nothing: 'For a month without orders, once your accountant has agreed. An order that comes into the month opens it again.',
    },
    button: { filed: 'Mark as filed', rejected: 'Mark as rejected', again: 'Make the file', nothing: 'Mark as nothing to file' },
    correct: {
      heading: 'What was noted of the filing',
      lead: 'The agency’s number and the day can be added or corrected. What was there before is kept.',
      button: 'Save the correction',
    },
    returns: {
      heading: 'The returns are dealt with',
      lead: 'No file can tell them. Once your accountant has corrected the VAT, write how: until then they stay on the pages of the months after it.',
      button: 'Mark as dealt with',
    },
    fields,
    versionOf: ({ version, createdAt }) => `version ${version}, made on ${momentText(createdAt)}`,
    withoutOutstanding: 'It was filed without the orders that are not recorded; they go into a later file.',
    asIs: 'Exactly this version was filed; the changes since go into later files.',
    optional: 'optional',
  },
  done: {
    label: 'Saved',
    words: {
      filed: 'The month is marked as filed.',
      rejected: 'The file is marked as rejected. Correct the data, and make a new version.',
      again: 'A new version of the file was made. Compare its sums, and file it.',
      nothing: 'The month is marked as having nothing to file.',
    },
    facts: { filedOn: 'Filed on', incomingNumber: 'Incoming number', rejectedWords: 'The agency said', nothing: 'Agreed' },
  },
  refused: { label: 'Not saved', words: refusalWords },
  files: {
    title: 'Files',
    lead: 'The XML file is filed as it is. The CSV file is for spreadsheets, the summary for reading; both are in Bulgarian.',
    version: 'Version',
    madeOn: 'Made',
    size: 'Bytes',
    contents: 'Download',
    xml: 'XML',
    csv: 'CSV',
    summary: 'Summary',
    filed: 'filed',
    none: 'No file was made yet.',
  },
  skipped: {
    title: 'Skipped numbers',
    lead: 'No document has these numbers, and none will get them.',
    from: 'From No',
    to: 'To No',
    on: 'Skipped on',
    why: 'Reason',
    more: (hidden) => `And ${counted.en(hidden, 'range that is', 'ranges that are')} not shown here.`,
  },
  list: {
    title: 'All months',
    lead: 'The shops that send their months to your address.',
    month: 'Month',
    state: 'State',
    orders: 'Orders',
    term: 'Term',
    open: 'Open',
    none: 'No month has orders yet.',
    more: 'The first 200 shops are shown.',
  },
  bulgarianOnly: 'The summary below is in Bulgarian, as it goes with the file.',
  pages: {
    unknown: {
      title: 'This link leads nowhere',
      words: [
        'The link is incomplete, was changed, or is no longer good for your address.',
        'Open it from the last mail of the month. If that does not help, write to the merchant or to whoever runs this service.',
      ],
    },
    expired: {
      title: 'This link has expired',
      words: ['Links are good until 60 days after the term of their month. A new one can only be mailed to the address that this one came to.'],
    },
    renewed: {
      title: 'The request was taken',
      words: [
        'If the address that this link came to still gets the months of this shop, a new link arrives there within minutes.',
        'A new link is mailed at most once in 15 minutes.',
      ],
    },
    tooMany: { title: 'Too many attempts', words: ['Too many links that do not exist were opened from your address. Wait a minute, and try again.'] },
    foreignForm: { title: 'Not saved', words: ['The request did not come from the month’s page. Open the link of the mail, and try again from there.'] },
    method: { title: 'Not like this', words: ['This address takes no such request. Open the link of the mail.'] },
    failed: {
      title: 'Something broke',
      words: ['It is not known whether the request was carried out. Try again in a minute; the month’s page shows what is saved.'],
    },
  },
  renew: 'Send me a new link',
};

const ofMonth = {
  'not-ours': 'The shop was not here in this month: a file of it is made where it was then.',
  'has-returns': 'The month has returns, which no file can tell. Write how they were dealt with, below.',
};

function refusalWords(refusal: ActRefusal): string {
  switch (refusal.why) {
    case 'test-shop':
      return 'This is a test shop: no file of it is made or filed.';
    case 'no-shop':
    case 'no-file':
      return 'There is no such version of the file. Choose one of the list, or make the file first.';
    case 'already':
    case 'filed':
      return 'The month is marked as filed already. If the agency rejected the file, say that first.';
    case 'not-filed':
      return 'The month is not marked as filed, so nothing can have been rejected.';
    case 'too-late':
      return 'The file was filed too long ago to be made again. Ask your accountant how to correct what was filed.';
    case 'has-orders':
      return 'The month has orders, so its file must be made and filed.';
    case 'has-file':
      return 'The month has a file already. File it, and mark it as filed.';
    case 'not-ours':
    case 'has-returns':
      return ofMonth[refusal.why];
    case 'not-ended':
      return 'The month is not over. Try again after its end.';
    case 'making':
      return 'The file is being made at this moment. Open the page again in a minute.';
    case 'blocked':
      return 'The file can’t be made. The reasons, and what to do about each, are listed below.';
    case 'empty':
      return 'The month has no orders, and the agency takes no file without orders. If your accountant agrees, mark it as nothing to file.';
    case 'too-often':
      return 'The file was made several times just now. Wait a few minutes.';
    case 'outstanding':
      return `${counted.en(refusal.orders, 'paid order of the month is', 'paid orders of the month are')} not recorded, and not in the file. Have them recorded first, and make the file again; if it was filed without them, say so below.`;
    case 'outdated':
      return `Version ${refusal.version} lacks ${counted.en(refusal.changes, 'change', 'changes')}. Make a new version and file that; if exactly this one was filed, say so below.`;
    case 'waiting':
      return `An order was deleted just now, and its replacement may be on its way. Try again after ${momentText(refusal.until)}.`;
    case 'wrong-day':
      return `The day of filing may be from ${dayText(refusal.first)} (when the version was made) to ${dayText(refusal.last)}.`;
    case 'unreadable':
      return unreadableWords(refusal.field);
  }
}

function unreadableWords(field: FormField): string {
  if (field === 'incomingNumber') return `Check the field “${fields.incomingNumber}”: one line of up to ${limits.incomingNumber} characters, without tabs.`;
  return `Check the field “${fields[field]}”: it is empty, too long, or can’t be read.`;
}
