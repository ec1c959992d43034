import type { RequestListener } from 'node:http';
import { Router } from 'express';
import type { Registry } from 'prom-client';
import { adminOff, adminRefused, readinessChanged, requestFailed } from '../bridge/bridge-events.ts';
import type { TrafficCounts } from '../bridge/intake/traffic.ts';
import { isDashboardBeside, isTooShort, type Role, usableAdminToken } from '../config/config.ts';
import { createHttpApp, type HttpAppOptions } from '../platform/http/http-app.ts';
import { ping } from '../platform/postgres/postgres.ts';
import { rateLimit } from '../platform/rate-limit.ts';
import { withTimeout } from '../platform/with-timeout.ts';
import type { ComplianceService } from '../service/compliance-service.ts';
import type { Console } from './console.ts';
import type { Core } from './core.ts';
import type { HealthReader } from './health-reader.ts';
import { PasswordThrottle, type RefusedAdmin } from './ops/admin-auth.ts';
import { type DashboardDeps, dashboardRouter } from './ops/dashboard.ts';
import { type GaugePace, openGauges } from './ops/gauges.ts';
import { addAdminRefused, type Metrics } from './ops/metrics.ts';
import { healthRouter } from './ops/readiness.ts';
import { statusRouter } from './ops/status-router.ts';
import type { Queues } from './queues.ts';
import { receiptLinkRouter } from './receipt-links.ts';
import { createReceiver, type Receiver } from './receiver.ts';

/** The parts of a role; `compliance` is null where our compliance service is not served. */
export type Parts = {
  core: Core;
  metrics: Metrics;
  queues: Queues;
  traffic: TrafficCounts;
  compliance: { service: ComplianceService } | null;
  role: Role;
  gaugePace: GaugePace;
  healthReader: HealthReader;
  isStopping(): boolean;
  /** Null: the console is not served. */
  console: Console | null;
};

const PING_MS = 1_500;
const LOGGED_A_MINUTE = 20;

type Routes = HttpAppOptions['routes'];

/** The HTTP interface of a role; `ops` null: metrics and dashboard are on `main`, and so is the console. Health is on each. */
type HttpApps = { main: RequestListener; ops: RequestListener | null; console: RequestListener | null };

export function httpApps(parts: Parts): HttpApps {
  const { core, isStopping, role } = parts;
  const receiver = role === 'all' || role === 'receiver' ? createReceiver(parts) : null;
  const { health, inside } = opsRoutes(parts, receiver);
  const { trustProxy, publicUrl, consolePublicUrl, servicePublicUrl, opsPort, consolePort = null } = core.config;
  const isHttps = [publicUrl, consolePublicUrl, servicePublicUrl].some((url) => url?.startsWith('https:'));
  const app = (routes: Routes) => createHttpApp({ routes, trustProxy, isHttps, isStopping, onError: (err, request) => requestFailed(core.log, err, request) });
  const pages = parts.console === null ? [] : consoleRoutes(parts.console);
  return {
    main: app([...outside(parts, receiver), ...health(false), ...(opsPort === null ? inside : []), ...(consolePort === null ? pages : [])]),
    ops: opsPort === null ? null : app([...health(true), ...inside]),
    console: consolePort === null || pages.length === 0 ? null : app([...health(false), ...pages]),
  };
}

/** Who types the address alone is led on. */
function consoleRoutes({ router }: Console): Routes {
  const start = Router({ strict: true });
  start.get('/', (_request, response) => response.redirect('/console'));
  return [
    { path: '/console', router },
    { path: '/', router: start },
  ];
}

/** What stores, merchants and callers of our compliance service use. */
function outside({ core, compliance, console: pages }: Parts, receiver: Receiver | null): Routes {
  return [
    ...(pages === null ? [] : merchantRoutes(pages)),
    ...(receiver === null ? [] : [receiptLinkRouter(core), receiver.router].map((router) => ({ path: '/', router }))),
    ...(compliance === null ? [] : serviceRoutes(compliance.service, core)),
  ];
}

function merchantRoutes({ merchants }: Console): Routes {
  return [
    { path: '/connect', router: merchants.connect },
    { path: '/', router: merchants.grants },
  ];
}

/** What those use who run it. */
function opsRoutes(parts: Parts, receiver: Receiver | null): { health(inside: boolean): Routes; inside: Routes } {
  const { core, compliance, isStopping, gaugePace, healthReader } = parts;
  const { registry } = parts.metrics;
  const { counted, worked } = queuesOf(parts);
  const service = compliance?.service ?? null;
  const { pausedQueues, refresh } = openGauges({ core, registry, queues: { counted, worked }, service, healthReader, pace: gaugePace });
  const isRecordingStopped = () => core.recording.isStopped;
  const router = healthRouter({
    checks: checks(parts, receiver),
    pausedQueues,
    isRecordingStopped,
    isStopping,
    onChange: (change) => readinessChanged(core.log, change),
  });
  if (isTooShort(core.config)) adminOff(core.log);
  const at = (each: Routes[number]['router']) => ({ path: '/', router: each });
  const health = (inside: boolean) => [router, statusRouter(healthReader.read, { inside })].map(at);
  return { health, inside: [metricsRouter(registry, refresh), ...dashboard(parts, worked)].map(at) };
}

/** Opened by the password, and by who is signed in to a console at the same address; without either there is none. */
function dashboard(parts: Parts, queues: DashboardDeps['queues']): Routes[number]['router'][] {
  const { config } = parts.core;
  const token = usableAdminToken(config);
  const pass = parts.console !== null && isDashboardBeside(config) ? parts.console.pass : null;
  if (token === null && pass === null) return [];
  return [dashboardRouter({ token, pass, queues, throttle: new PasswordThrottle({ now: () => performance.now() }), onRefused: refused(parts) })];
}

function refused({ core: { log }, metrics }: Parts): (refusal: RefusedAdmin) => void {
  const counter = addAdminRefused(metrics.registry);
  const write = rateLimit<RefusedAdmin>((refusal, leftOut) => adminRefused(log, { ...refusal, leftOut }), {
    most: LOGGED_A_MINUTE,
    now: () => performance.now(),
  });
  return (refusal) => {
    counter.inc({ why: refusal.why });
    write(refusal);
  };
}

function serviceRoutes(service: ComplianceService, { config }: Core): Routes {
  return [
    { path: '/public-api/v1', router: service.router },
    { path: '/service/v1', router: service.extensionRouter },
    ...(service.portalRouter === null ? [] : [{ path: '/months', router: service.portalRouter }]),
    { path: '/', router: service.openApiRouter },
    ...(config.complianceFaults === true ? [{ path: '/faults', router: service.faultRouter }] : []),
  ];
}

/** Those whose jobs are counted, and those that this process works on. */
function queuesOf({ role, queues: { deliveries, submissions, maintenance } }: Pick<Parts, 'role' | 'queues'>) {
  return { counted: [deliveries, submissions], worked: role === 'compliance' ? [] : [deliveries, submissions, maintenance] };
}

// The compliance service answers without the queue: files and mails wait for it, orders do not.
function checks({ core: { pool }, role, queues }: Parts, receiver: Receiver | null): Record<string, () => Promise<void>> {
  const database = async () => {
    await withTimeout(PING_MS, ping(pool));
  };
  const queue = () => queues.system.ping(PING_MS);
  return { database, ...(role === 'compliance' ? {} : { queue }), ...(receiver === null ? {} : { webhooks: receiver.canKeep }) };
}

/** `GET /metrics`. `refresh` reads the gauges before; it never rejects. */
function metricsRouter(registry: Registry, refresh: () => Promise<void>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get('/metrics', async (_request, response) => {
    await refresh();
    response.type(registry.contentType).send(await registry.metrics());
  });
  return router;
}
