import { type DescribedOperation, json } from './described-operations.ts';

const MONTH = '/service/v1/shops/{id}/months/{month}';
const BODY = ['body-not-json', 'body-invalid'] as const;
const SHOWN = { description: 'The month as it is now.', content: json('MonthDto') };

/** The operations on months. */
export const monthOperations: readonly DescribedOperation[] = [
  {
    method: 'get',
    path: '/service/v1/shops/{id}/months',
    id: 'listMonths',
    tag: 'Months',
    summary: 'List the months of a shop, newest first',
    answer: { description: 'All of them.', content: json('MonthPage') },
    problems: ['not-found'],
  },
  {
    method: 'get',
    path: MONTH,
    id: 'readMonth',
    tag: 'Months',
    summary: 'Show a month',
    description: 'What its page shows, as fields: its situation, sums, changes since the last version, and every version of its file.',
    answer: { description: 'The month as it is now.', content: json('MonthDto') },
    problems: ['not-found'],
  },
  {
    method: 'post',
    path: `${MONTH}/generate`,
    id: 'generateMonth',
    tag: 'Months',
    summary: 'Make the next version of a month’s file',
    description: 'Earlier versions stay. The body may be left out. If it takes longer than 20 seconds the answer is 202 and it goes on: read the month again.',
    body: 'GenerateMonthDto',
    bodyIsOptional: true,
    answer: { description: 'The version.', content: json('AuditFileDto') },
    later: {
      description: 'It is being made.',
      content: json('MonthBeingMadeDto'),
      headers: [
        { name: 'Location', description: 'The month: beingMade is false when it is done.' },
        { name: 'Retry-After', description: 'Seconds to wait.' },
      ],
    },
    problems: [...BODY, 'not-found', 'month-not-ready', 'month-empty', 'month-filed', 'month-not-ours'],
  },
  {
    method: 'post',
    path: `${MONTH}/filed`,
    id: 'markMonthFiled',
    tag: 'Months',
    summary: 'Say that a person filed a version of a month’s file',
    description:
      'It closes the month. Repeated for the same version it changes nothing but the number and the day that it names. A version that lacks the last changes, and a month with paid orders that are not recorded, are refused unless the body says otherwise.',
    body: 'MonthFiledDto',
    answer: SHOWN,
    problems: [...BODY, 'not-found', 'month-filed', 'month-outdated', 'month-incomplete'],
  },
  {
    method: 'post',
    path: `${MONTH}/rejected`,
    id: 'markMonthRejected',
    tag: 'Months',
    summary: 'Say that the filed version is wrong',
    description:
      'The agency found errors in it, or you found a mistake of your own within the term: of several files the agency takes the last one. Then another version can be made; within its term the month is open again.',
    body: 'MonthRejectedDto',
    answer: SHOWN,
    problems: [...BODY, 'not-found', 'month-not-filed', 'month-too-late'],
  },
  {
    method: 'post',
    path: `${MONTH}/nothing-to-file`,
    id: 'markMonthNothing',
    tag: 'Months',
    summary: 'Say that an empty month has nothing to file',
    description:
      'After a person agreed so with the accountant. An order or a return that comes into the month opens it again. A month with returns alone is settled withReturns.',
    body: 'MonthNothingDto',
    answer: SHOWN,
    problems: [...BODY, 'not-found', 'month-not-ready', 'month-not-empty', 'month-has-returns', 'month-not-ours'],
  },
];
