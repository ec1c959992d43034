import { describe, expect, test } from 'vitest';
import { breaches, openAs, overflow, type Way } from '../../support/console/look-at.ts';
import { NOVEMBER_IN_TERM, OCTOBER, october } from '../../support/worlds/october.ts';
import type { PortalWorld } from '../../support/worlds/portal-world.ts';
import { useServiceWorlds } from '../../support/worlds/service-worlds.ts';

const worlds = useServiceWorlds();
const LONG = 'Магазинзамногодългоименабезнитоединпробелвнегокоетосечетемногобавно';
const widths = [360, 1280] as const;
/** At both widths: six of sixteen ways. Axe looks at the two that differ in all that it judges; without script the words are the same, and Bulgarian ones are longer. */
const visits = [
  { lang: 'bg', script: true, theme: 'dark', judgedAt: 360 },
  { lang: 'en', script: true, theme: 'light', judgedAt: 1280 },
  { lang: 'bg', script: false, theme: 'light', judgedAt: null },
] as const;
const words = {
  bg: {
    filed: 'Отбележи като подаден',
    rejected: 'Отбележи като върнат',
    again: 'Изготви файла',
    number: /Вх\. №/,
    saved: 'Записано',
    said: /Какво съобщи НАП/,
    correct: 'Запиши поправката',
    all: 'Всички месеци',
  },
  en: {
    filed: 'Mark as filed',
    rejected: 'Mark as rejected',
    again: 'Make the file',
    number: /Incoming number/,
    saved: 'Saved',
    said: /What the agency said/,
    correct: 'Save the correction',
    all: 'All months',
  },
};

type Visit = Omit<Way, 'width'> & { judgedAt: number | null };

async function openPage(visit: Visit) {
  const opened = await openAs({ url: '', cookie: '' }, { ...visit, width: widths[0] });
  const { page, problems } = opened;
  page.on('requestfailed', (request) => problems.push(`failed: ${request.resourceType()}`));
  return {
    page,
    /** What is wrong with the page that is shown, at each width. */
    wrong: async () => {
      const seen: string[] = [];
      for (const width of widths) {
        await page.setViewportSize({ width, height: 800 });
        const tooWide = await overflow(page);
        seen.push(...(width === visit.judgedAt ? await breaches(page) : []), ...(tooWide > 0 ? [`${tooWide} px too wide at ${width} px`] : []));
      }
      return [...problems, ...seen];
    },
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  };
}

const world = async (orders?: number): Promise<PortalWorld> => worlds.portal(orders === undefined ? {} : { orders });

describe('in a browser', () => {
  test.each(visits)('a month is made, filed and rejected: $lang, script: $script, $theme', async (visit) => {
    await using w = await world();
    await w.call('PUT', `/shop/${w.shopId}`, { body: { name: LONG, receiptStartNumber: 5 } });
    await w.create(october(3));
    const say = words[visit.lang];
    await using shown = await openPage(visit);
    const { page, wrong } = shown;

    await page.goto(await w.link());
    expect(await page.getAttribute('html', 'lang')).toBe(visit.lang);
    expect(await wrong()).toEqual([]);

    await page.getByRole('button', { name: say.again }).click();
    await page.getByRole('status').getByText(say.saved).waitFor();
    expect(await wrong()).toEqual([]);

    await page.getByLabel(say.number).fill('2212И0012345');
    await page.getByLabel(say.number).press('Enter');
    await page.getByRole('status').getByText(say.saved).waitFor();
    await page.getByText('2212И0012345').first().waitFor();
    expect(await wrong()).toEqual([]);

    await page.getByLabel(say.number).fill('2212И0054321');
    await page.getByRole('button', { name: say.correct }).click();
    await page.getByText('2212И0054321').first().waitFor();
    expect(await wrong()).toEqual([]);

    await page.getByLabel(say.said).fill('Грешка 12');
    await page.getByRole('button', { name: say.rejected }).click();
    await page.getByRole('status').getByText(say.saved).waitFor();
    expect(await wrong()).toEqual([]);

    await page.getByRole('link', { name: say.all }).click();
    await page.getByRole('heading', { name: LONG }).waitFor();
    expect(await wrong()).toEqual([]);
  });

  test.each(visits.filter(({ script }) => script))('refusals, links that are none and expired ones: $lang', async (visit) => {
    await using w = await world();
    await w.make();
    await w.create(october(3));
    await using shown = await openPage(visit);
    const { page, wrong } = shown;
    const url = await w.link();

    await page.goto(url);
    await page.getByRole('button', { name: words[visit.lang].filed }).click();
    await page.getByRole('alert').waitFor();
    // Chromium logs the status of a refused form as an error.
    expect((await wrong()).filter((one) => !one.includes('409'))).toEqual([]);

    const [unknown, expired] = [`${url}x`, url];
    await page.goto(unknown);
    expect((await wrong()).filter((one) => !/404|409/.test(one))).toEqual([]);
    w.setClock('2027-02-01T10:00:00Z');
    await page.goto(expired);
    await page.getByRole('button').click();
    await page.getByText(/15/).waitFor();
    expect((await wrong()).filter((one) => !/404|409|410/.test(one))).toEqual([]);
  });

  test('a month of ten orders is printed on one A4 page, from its page and from the document beside its file', async () => {
    await using w = await world(0);
    await w.server.pool.query('update compliance.shops set automatic_receipts = true');
    w.setClock(OCTOBER);
    for (let n = 1; n <= 10; n += 1) await w.create(october(n, { transactionId: `pi_${n}` }));
    w.setClock(NOVEMBER_IN_TERM);
    await w.make();
    await using shown = await openPage(visits[0]);
    const { page } = shown;
    const printed = async () => (await page.pdf({ preferCSSPageSize: true, printBackground: true })).toString('latin1').match(/\/Type\s*\/Page\b/g)?.length;

    await page.goto(await w.link());
    expect(await printed()).toBe(1);
    await page.setContent((await w.open(`${(await w.linked()).month}/files/1.html`)).text);
    expect(await printed()).toBe(1);
  });

  test('an empty month is settled, and every control is reached by the keyboard alone', async () => {
    await using w = await world(0);
    await using shown = await openPage(visits[0]);
    const { page, wrong } = shown;
    await page.goto(await w.link());
    await page.getByRole('button', { name: 'Изготви файла' }).click();
    await page.getByRole('alert').waitFor();

    const reached: string[] = [];
    const controls = await page.locator('a, button, select, textarea, input:not([type=hidden]), [tabindex="0"]').count();
    for (let i = 0; i < controls; i += 1) {
      await page.keyboard.press('Tab');
      reached.push(await page.evaluate<string>('document.activeElement.tagName + (document.activeElement.name ?? "")'));
    }
    expect(reached).toContain('TEXTAREAnote');
    expect(reached).not.toContain('BODY');

    await page.getByLabel(/Какво е уговорено/).fill('Без продажби; г-жа Иванова');
    await page.getByRole('button', { name: 'Отбележи, че няма какво да се подава' }).press('Enter');
    await page.getByText('Без продажби; г-жа Иванова').first().waitFor();
    expect((await wrong()).filter((one) => !one.includes('409'))).toEqual([]);
  });
});
