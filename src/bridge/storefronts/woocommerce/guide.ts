import type { Said } from '../../../contract/said.ts';
import type { KeyWay, StoreGuide } from '../onboarding.ts';

const steps: readonly Said[] = [
  {
    en: 'In the store’s administration, open WooCommerce → Settings → Advanced → REST API and press “Add key”.',
    bg: 'В администрацията на магазина отворете WooCommerce → Настройки → Разширени → REST API и натиснете „Добавяне на ключ“.',
  },
  {
    en: 'Description: orderbridge. User: you, or another shop manager. Permissions: Read/Write.',
    bg: 'Описание: orderbridge. Потребител: вие или друг управител на магазина. Права: Четене/писане (Read/Write).',
  },
  {
    en: 'Press “Generate API key”. Copy both values here: the store shows them only once.',
    bg: 'Натиснете „Генериране на API ключ“. Копирайте тук двете стойности: магазинът ги показва само веднъж.',
  },
];

const way: KeyWay = { id: 'rest-key', title: { en: 'A REST key', bg: 'REST ключ' }, steps, parts: ['consumerKey', 'consumerSecret'] };

/** The names that the form has for its own topics. */
const FORM_TOPICS: Readonly<Record<string, string>> = {
  'order.created': 'Order created',
  'order.updated': 'Order updated',
  'order.deleted': 'Order deleted',
  'order.restored': 'Order restored',
};

/** How a merchant whose key may only read makes the webhooks; the form begins with a status that sends nothing. */
export const guide: StoreGuide = {
  ways: [way],
  keyParts: {
    consumerKey: { en: 'Consumer key (begins with ck_)', bg: 'Ключ – Consumer key (започва с ck_)' },
    consumerSecret: { en: 'Consumer secret (begins with cs_)', bg: 'Тайна – Consumer secret (започва с cs_)' },
  },
  webhooks({ address, topics }) {
    const named = topics.map((topic) => FORM_TOPICS[topic] ?? `Action: ${topic.replace(/^action\./, '')}`).join('; ');
    return [
      {
        en: `Open WooCommerce → Settings → Advanced → Webhooks and press “Add webhook”, once for each of ${topics.length} topics.`,
        bg: `Отворете WooCommerce → Настройки → Разширени → Webhooks и натиснете „Add webhook“, по веднъж за всяка от ${topics.length} теми.`,
      },
      { en: `Topic: ${named}: one of them in each.`, bg: `Тема (Topic): ${named}: по една във всяко известие.` },
      {
        en: 'Status: Active. The form begins with “Disabled”, and says nothing if it is left so.',
        bg: 'Състояние (Status): Active. Формата започва с „Disabled“ и не предупреждава, ако остане така.',
      },
      { en: `Delivery URL: ${address}`, bg: `Адрес (Delivery URL): ${address}` },
      {
        en: 'Secret: the one below, the same in each. API version: “WP REST API Integration v3”.',
        bg: 'Тайна (Secret): показаната по-долу, една и съща във всяко. Версия на API: „WP REST API Integration v3“.',
      },
    ];
  },
};
