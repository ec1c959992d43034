import type { Said } from '../../contract/said.ts';
import { failureInBulgarian } from '../order/failures-in-bulgarian.ts';
import type { Narrowed } from '../storefronts/store-reader.ts';

const said = (en: string, bg: string): Said => ({ en, bg });

const narrowed: Record<Narrowed, Said> = {
  filter: said('its webhook has a filter, which keeps orders back', 'известието ѝ има филтър, който задържа поръчки'),
  fields: said('its webhook brings some fields alone', 'известието ѝ носи само някои полета'),
  format: said('its webhook has another format than JSON', 'известието ѝ е в друг формат, а не JSON'),
};

/** What is wrong with the webhooks of a topic, and what would be good to have. */
export const subscriptionWords = {
  paused: said('a person paused its webhook', 'човек е спрял известието ѝ'),
  disabled: said(
    'the store disabled its webhook, which it does after deliveries failed',
    'магазинът е изключил известието ѝ, което прави след неуспешни изпращания',
  ),
  elsewhere: (address: string) => said(`its webhook goes to ${address}`, `известието ѝ отива на ${address}`),
  another: (address: string) => said(`another webhook goes to ${address}`, `друго известие отива на ${address}`),
  narrowed: (by: Narrowed | undefined) => narrowed[by ?? 'filter'],
  missing: said('the store has no webhook for it', 'магазинът няма известие за нея'),
  notKnown: said('no webhook for it is known', 'не е познато известие за нея'),
  notConfigured: said(
    'the configuration of its app should bring it, and nothing ever came',
    'конфигурацията на приложението трябва да я изпраща, но досега нищо не е дошло',
  ),
  leftOver: said('a disabled webhook is left beside one that works', 'останало е изключено известие до работещо'),
  notArriving: (tried: string, last: string | null) =>
    said(
      `the store tried to deliver at ${tried}, but ${last === null ? 'none was accepted yet' : `the last that was accepted came at ${last}`}`,
      `магазинът е опитал да изпрати в ${tried}, но ${last === null ? 'още нищо не е прието' : `последното прието дойде в ${last}`}`,
    ),
  otherProcess: said('another process looks after them', 'друг процес се грижи за тях'),
  mayNotChange: (detail: string) => said(`the key may not change webhooks (${detail})`, `ключът не може да променя известия (${detail})`),
  refused: said('the key may not change webhooks; that is tried again once a day', 'ключът не може да променя известия; това се опитва отново веднъж на ден'),
  failed: (code: string, detail: string) => said(`${code}: ${detail}`, `${failureInBulgarian(code).means.replace(/\.$/, '')} (${code}: ${detail})`),
  goodToHave: (topics: string) => said(`good to have, too: ${topics}`, `добре е да ги има и: ${topics}`),
  strange: (id: string, topic: string) =>
    said(
      `the webhook ${id} has the topic ${topic}, which is not needed: check that it is not meant to be another one`,
      `известието ${id} е с тема ${topic}, която не е нужна: проверете дали не е трябвало да е друга`,
    ),
};
