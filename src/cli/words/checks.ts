import type { reasonCodes } from '../../operations/verdict/reason-codes.ts';

type OfReason = (typeof reasonCodes)[keyof typeof reasonCodes]['what'];
type OfCheck = 'configuration' | 'compliance API' | 'connection' | 'orders' | 'mail' | 'exchange rates';

/** What `orderbridge doctor` checks, for people who read Bulgarian. */
export const checksInBulgarian: Readonly<Record<OfReason | OfCheck, string>> = {
  alerts: 'предупреждения',
  'audit files': 'одиторски файлове',
  backlog: 'изоставане',
  check: 'проверка',
  clock: 'часовник',
  companies: 'фирми',
  'compliance API': 'услуга за отчитане',
  'compliance key': 'ключ за услугата',
  'compliance service': 'услуга за отчитане',
  'compliance shop': 'обект',
  configuration: 'настройки',
  connection: 'връзка',
  dashboard: 'табло',
  database: 'база данни',
  deliveries: 'доставки',
  disk: 'диск',
  'erased buyers': 'заличени купувачи',
  'exchange rates': 'валутни курсове',
  'held webhooks': 'задържани известия',
  mail: 'поща',
  orders: 'поръчки',
  'paid orders': 'платени поръчки',
  'orders in review': 'чакат човек',
  'webhooks in review': 'нечетими известия',
  PUBLIC_URL: 'PUBLIC_URL',
  queue: 'опашка',
  receipts: 'документи за продажба',
  secrets: 'тайни',
  server: 'сървър',
  'store APIs': 'API на магазини',
  trials: 'проби',
  'unconfirmed orders': 'неизвестни поръчки',
  'unread orders': 'непрочетени поръчки',
  webhooks: 'известия',
};
