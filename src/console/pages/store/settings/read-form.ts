import { singleSettings, type TypedSettings } from '../../../../operations/connections/settings-form.ts';
import { type Html, html } from '../../../../web/html.ts';
import type { Form } from '../../../base/page.ts';

/** The settings that a form of ours says. */
export function readForm(form: Form): TypedSettings {
  const rows = (names: readonly string[]): string[][] => {
    const columns = names.map((name) => form.all(name).map((text) => text.trim()));
    return (columns[0] ?? []).map((_first, i) => columns.map((column) => column[i] ?? ''));
  };
  return {
    single: Object.fromEntries(singleSettings().map(({ name }) => [name, form.text(`s.${name}`)])),
    vatGroups: rows(['rate', 'group']).map(([rate = '', group = '']) => ({ rate, group })),
    payments: rows(['gateway', 'type', 'processor']).map(([gateway = '', type = '', processor = '']) => ({ gateway, type, processor })),
  };
}

/** The same in fields that are not shown, for the step after the preview. */
export function hiddenForm({ single, vatGroups, payments }: TypedSettings): Html {
  const hidden = (name: string, value: string) => html`<input type="hidden" name="${name}" value="${value}">`;
  return html`${Object.entries(single).map(([name, value]) => hidden(`s.${name}`, value))}${vatGroups.map(
    ({ rate, group }) => html`${hidden('rate', rate)}${hidden('group', group)}`,
  )}${payments.map(({ gateway, type, processor }) => html`${hidden('gateway', gateway)}${hidden('type', type)}${hidden('processor', processor)}`)}`;
}
