import type { Connection } from '../../bridge/connections/connection.ts';
import { settingPath } from '../../bridge/connections/connection-settings.ts';
import type { AskedSetting } from '../../bridge/order/facts/failure.ts';
import { canonicalRate } from '../../bridge/order/facts/settings.ts';
import { ownValue } from '../../contract/own-value.ts';
import type { SettingsChanges } from '../connections/edited-settings.ts';

/** A setting and its value. `name`: of the processor, where the type needs one; value null: there is none. */
export type Chosen = { asked: AskedSetting; value: string | null; name: string | null };

/** What is set for it now. */
export function chosenIn({ settings }: Pick<Connection, 'settings'>, asked: AskedSetting): Chosen {
  switch (asked.of) {
    case 'payment': {
      const payment = ownValue(settings.payments ?? {}, asked.gateway);
      return { asked, value: payment?.paymentType ?? null, name: payment?.paymentProcessorName ?? null };
    }
    case 'vat': {
      const found = Object.entries(settings.vatGroups ?? {}).find(([rate]) => canonicalRate(rate) === canonicalRate(asked.rate));
      return { asked, value: found?.[1] ?? null, name: null };
    }
    case 'contained-vat':
      return { asked, value: settings.pricesContainVat, name: null };
    case 'gift-cards':
      return { asked, value: settings.giftCards === 'review' ? null : settings.giftCards, name: null };
  }
}

/** What must change in the settings for these to be chosen. */
export function changesFor(connection: Pick<Connection, 'settings'>, chosen: readonly Chosen[]): SettingsChanges {
  return {
    set: chosen.flatMap(assignments),
    unset: chosen.flatMap(({ asked, name }) =>
      asked.of === 'payment' && name === null && chosenIn(connection, asked).name !== null ? [paymentPath(asked.gateway, 'paymentProcessorName')] : [],
    ),
  };
}

function assignments({ asked, value, name }: Chosen): string[] {
  const text = JSON.stringify(value);
  switch (asked.of) {
    case 'payment': {
      const type = `${paymentPath(asked.gateway, 'paymentType')}=${text}`;
      return name === null ? [type] : [type, `${paymentPath(asked.gateway, 'paymentProcessorName')}=${JSON.stringify(name)}`];
    }
    case 'vat':
      return [`${settingPath(['vatGroups', asked.rate])}=${text}`];
    case 'contained-vat':
      return [`pricesContainVat=${text}`];
    case 'gift-cards':
      return [`giftCards=${text}`];
  }
}

function paymentPath(gateway: string, field: string): string {
  return settingPath(['payments', gateway, field]);
}

/** What other stores chose for it, those of most first. */
export function chosenElsewhere(connections: readonly Connection[], { connectionId, asked }: { connectionId: string; asked: AskedSetting }) {
  const others = connections.filter(({ id, closedAt }) => id !== connectionId && closedAt === null);
  const known = others.flatMap((other) => {
    const chosen = chosenIn(other, asked);
    return chosen.value === null ? [] : [{ chosen, store: other.name }];
  });
  const alike = [...Map.groupBy(known, ({ chosen: { value, name } }) => JSON.stringify([value, name])).values()];
  return alike
    .flatMap((of) => (of[0] === undefined ? [] : [{ chosen: of[0].chosen, stores: of.map(({ store }) => store) }]))
    .toSorted((a, b) => b.stores.length - a.stores.length);
}
