import type { Connection } from '../../bridge/connections/connection.ts';
import { settingPath } from '../../bridge/connections/setting-path.ts';
import type { MissingSetting } from '../../bridge/order/facts/failure.ts';
import { canonicalRate } from '../../bridge/order/facts/settings.ts';
import { ownValue } from '../../contract/own-value.ts';
import type { SettingsChanges } from '../connections/edited-settings.ts';

/** A setting and its value. `name`: of the processor, where the type needs one; value null: there is none. */
export type Chosen = { setting: MissingSetting; value: string | null; name: string | null };

/** What is set for it now. */
export function chosenIn({ settings }: Pick<Connection, 'settings'>, setting: MissingSetting): Chosen {
  switch (setting.of) {
    case 'payment': {
      const payment = ownValue(settings.payments ?? {}, setting.gateway);
      return { setting, value: payment?.paymentType ?? null, name: payment?.paymentProcessorName ?? null };
    }
    case 'vat': {
      const found = Object.entries(settings.vatGroups ?? {}).find(([rate]) => canonicalRate(rate) === canonicalRate(setting.rate));
      return { setting, value: found?.[1] ?? null, name: null };
    }
    case 'contained-vat':
      return { setting, value: settings.pricesContainVat, name: null };
    case 'gift-cards':
      return { setting, value: settings.giftCards === 'review' ? null : settings.giftCards, name: null };
  }
}

/** What must change in the settings for these to be chosen. */
export function changesFor(connection: Pick<Connection, 'settings'>, chosen: readonly Chosen[]): SettingsChanges {
  return {
    set: chosen.flatMap(assignments),
    unset: chosen.flatMap(({ setting, name }) =>
      setting.of === 'payment' && name === null && chosenIn(connection, setting).name !== null ? [paymentPath(setting.gateway, 'paymentProcessorName')] : [],
    ),
  };
}

function assignments({ setting, value, name }: Chosen): string[] {
  const text = JSON.stringify(value);
  switch (setting.of) {
    case 'payment': {
      const type = `${paymentPath(setting.gateway, 'paymentType')}=${text}`;
      return name === null ? [type] : [type, `${paymentPath(setting.gateway, 'paymentProcessorName')}=${JSON.stringify(name)}`];
    }
    case 'vat':
      return [`${settingPath(['vatGroups', setting.rate])}=${text}`];
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
export function chosenElsewhere(connections: readonly Connection[], { connectionId, setting }: { connectionId: string; setting: MissingSetting }) {
  const others = connections.filter(({ id, closedAt }) => id !== connectionId && closedAt === null);
  const known = others.flatMap((other) => {
    const chosen = chosenIn(other, setting);
    return chosen.value === null ? [] : [{ chosen, store: other.name }];
  });
  const similar = [...Map.groupBy(known, ({ chosen: { value, name } }) => JSON.stringify([value, name])).values()];
  return similar
    .flatMap((of) => (of[0] === undefined ? [] : [{ chosen: of[0].chosen, stores: of.map(({ store }) => store) }]))
    .toSorted((a, b) => b.stores.length - a.stores.length);
}
