import { judge } from '../../../src/app/incidents.ts';
import type { KnownIncident, ReportedIncident } from '../../../src/bridge/alerts/alert.ts';
import { notAsked } from '../../../src/operations/verdict/read-verdict.ts';
import type { Verdict } from '../../../src/operations/verdict/verdict.ts';

/** Alerts of a verdict that stays as it is for ten minutes. */
export class Alerts {
  #known: KnownIncident[] = [];
  #now = Date.parse('2026-11-22T08:00:00Z');

  seen(verdict: Verdict): { raised: readonly ReportedIncident[]; resolved: readonly ReportedIncident[] } {
    const told = { raised: [] as ReportedIncident[], resolved: [] as ReportedIncident[] };
    for (let minute = 0; minute < 10; minute += 1) {
      const { keep, alert } = judge({ known: this.#known, verdict, notAsked: notAsked(verdict), now: new Date(this.#now), id: `look-${this.#now}` });
      this.#known = keep;
      this.#now += 60_000;
      told.raised.push(...(alert?.raised ?? []));
      told.resolved.push(...(alert?.resolved ?? []));
    }
    return told;
  }
}

/** The codes that are told while one verdict lasts, and those that end with another. */
export function alertsOf(during: Verdict, after: Verdict): { raised: string[]; resolved: string[] } {
  const alerts = new Alerts();
  const { raised } = alerts.seen(during);
  const { resolved } = alerts.seen(after);
  return { raised: raised.map(({ code }) => code), resolved: resolved.map(({ code }) => code) };
}
