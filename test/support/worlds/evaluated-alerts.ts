import { evaluate } from '../../../src/app/incidents.ts';
import type { ReportedIncident } from '../../../src/bridge/alerts/alert.ts';
import type { KnownIncident } from '../../../src/bridge/ledger/alerts/alert-watch.ts';
import type { HealthStatus } from '../../../src/operations/health/health-status.ts';
import { notAsked } from '../../../src/operations/health/read-health.ts';

/** Alerts of a health status that stays as it is for ten minutes. */
export class Alerts {
  #known: KnownIncident[] = [];
  #now = Date.parse('2026-11-22T08:00:00Z');

  seen(health: HealthStatus): { raised: readonly ReportedIncident[]; resolved: readonly ReportedIncident[] } {
    const told = { raised: [] as ReportedIncident[], resolved: [] as ReportedIncident[] };
    for (let minute = 0; minute < 10; minute += 1) {
      const { keep, alert } = evaluate({ known: this.#known, health, notAsked: notAsked(health), now: new Date(this.#now), id: `look-${this.#now}` });
      this.#known = keep;
      this.#now += 60_000;
      told.raised.push(...(alert?.raised ?? []));
      told.resolved.push(...(alert?.resolved ?? []));
    }
    return told;
  }
}

/** The codes that are told while one health status lasts, and those that end with another. */
export function alertsOf(during: HealthStatus, after: HealthStatus): { raised: string[]; resolved: string[] } {
  const alerts = new Alerts();
  const { raised } = alerts.seen(during);
  const { resolved } = alerts.seen(after);
  return { raised: raised.map(({ code }) => code), resolved: resolved.map(({ code }) => code) };
}
