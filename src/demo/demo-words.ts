import type { Lang } from '../contract/messages.ts';

/** What is named in the demo, in English. */
const english: Readonly<Record<string, string>> = {
  Росица: 'Rositsa',
  Сова: 'Sova',
  Тера: 'Tera',
  Липа: 'Lipa',
  'Крем за лице с роза': 'Rose face cream',
  'Серум с шипка': 'Rose hip serum',
  'Сапун с лавандула': 'Lavender soap',
  'Розово масло 5 мл': 'Rose oil 5 ml',
  'Балсам за устни': 'Lip balm',
  'Върната стока': 'Goods came back',
  'Еконт до офис': 'Econt to office',
  'Кафе Етиопия 250 г': 'Coffee Ethiopia 250 g',
  'Домашна смес 1 кг': 'House blend 1 kg',
  'Ръчна мелничка': 'Hand grinder',
  Филтри: 'Filters',
  'Кафе Колумбия 500 г': 'Coffee Colombia 500 g',
  'Кафе на панаира': 'Coffee at the fair',
  'Под игото': 'Under the Yoke',
  'Чаша „Сова“': 'Owl mug',
  Тефтер: 'Notebook',
  'Атлас на България': 'Atlas of Bulgaria',
  'Събрани стихотворения': 'Collected poems',
  Фотоалбум: 'Photo album',
  'Разкази за деца': 'Stories for children',
  'Пътеводител „Родопи“': 'Guide to the Rhodopes',
  'Лампа за четене': 'Reading lamp',
  'Банкова карта': 'Card',
  'Наложен платеж': 'Cash on delivery',
  'Банков превод': 'Bank transfer',
  'Гарантирано от Еконт': 'Guaranteed by Econt',
  'Спиди до адрес': 'Speedy to the door',
  'Свещ от соев восък „Липа“': 'Soy wax candle',
  'Фенер за градина': 'Garden lantern',
  'Книга „Пчелният восък“': 'Book “Beeswax”',
};

const NAMED = new RegExp(
  Object.keys(english)
    .toSorted((a, b) => b.length - a.length)
    .join('|'),
  'g',
);

/** Stores, goods and ways of delivery as they are called in a language; what is given is written in Bulgarian. */
export function inLanguage<T>(of: T, lang: Lang): T {
  return lang === 'bg' ? of : (JSON.parse(JSON.stringify(of).replace(NAMED, (name) => english[name] ?? name)) as T);
}
