import { AsyncLocalStorage } from 'node:async_hooks';
import { type Attributes, diag, ROOT_CONTEXT, type Span, type SpanContext, SpanKind, SpanStatusCode, TraceFlags, type Tracer, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, detectResources, resourceAttributesEnvDetector, resourceFromAttributes, serviceNameEnvDetector } from '@opentelemetry/resources';
import { BatchSpanProcessor, RandomIdGenerator, SamplingDecision, TraceIdRatioBasedSampler, TracerProvider } from '@opentelemetry/sdk-trace';
import { codeOf, errorWords } from './error-words.ts';
import { withTimeout } from './with-timeout.ts';

/** `url`: of the collector, for spans. `share`: which of the traces are kept. `onProblem`: spans are not sent, or are dropped. */
type TracesOptions = { url: string; share: number; service: string; onProblem(words: string): void };

/** Nothing secret or personal, as in the log. `beganAt`: ms since 1970; absent: now. */
type SpanSpec = { name: string; kind: keyof typeof SpanKind; attributes: Attributes; beganAt?: number };

/** `of`: the UUID that its trace is named after. `isFirst`: the others of this trace are below it. `links`: UUIDs of other traces. */
type NamedSpan = SpanSpec & { of: string; isFirst: boolean; links?: readonly string[] };

const FLUSH_MS = 1_500;
const LONGEST_WORDS = 300;

/**
 * Spans of OpenTelemetry. A trace is named after a UUID that all processes know: its id is the UUID's digits, that of its first span the last 16 of them.
 * So nothing about a trace is stored or queued, it goes on after a restart, and every process keeps the same ones.
 */
export class Traces implements AsyncDisposable {
  readonly #provider: TracerProvider;
  readonly #tracer: Tracer;
  readonly #sampler: TraceIdRatioBasedSampler;
  readonly #onProblem: TracesOptions['onProblem'];
  readonly #current = new AsyncLocalStorage<Span>();
  /** The ids of the next span, which is made at once; null: any. */
  #ids: SpanContext | null = null;

  constructor({ url, share, service, onProblem }: TracesOptions) {
    this.#onProblem = (words) => onProblem(words.slice(0, LONGEST_WORDS));
    const nothing = () => undefined;
    diag.setLogger({ error: this.#onProblem, warn: this.#onProblem, info: nothing, debug: nothing, verbose: nothing }, { suppressOverrideMessage: true });
    const random = new RandomIdGenerator();
    this.#sampler = new TraceIdRatioBasedSampler(share);
    const given = detectResources({ detectors: [resourceAttributesEnvDetector, serviceNameEnvDetector] });
    this.#provider = new TracerProvider({
      resource: defaultResource()
        .merge(resourceFromAttributes({ 'service.name': service }))
        .merge(given),
      sampler: this.#sampler,
      idGenerator: {
        generateTraceId: () => this.#ids?.traceId ?? random.generateTraceId(),
        generateSpanId: () => this.#ids?.spanId ?? random.generateSpanId(),
      },
      spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url }) })],
    });
    this.#tracer = this.#provider.getTracer('orderbridge');
  }

  /** Is the trace that is named after this UUID kept? */
  readonly keeps = (id: string): boolean => isKept(this.#first(id));

  /** What a line of the log says of the span in which it is written. */
  readonly fields = (): object => {
    const span = this.#current.getStore()?.spanContext();
    return span === undefined ? {} : { trace_id: span.traceId, span_id: span.spanId, trace_flags: `0${span.traceFlags}` };
  };

  /** Does work as a span of each of these traces; those that are kept are linked. */
  spans<T>(specs: readonly NamedSpan[], work: () => Promise<T>): Promise<T> {
    const spans = specs.map((spec) => this.#named(spec));
    const [first, ...others] = spans.filter((span) => span.isRecording());
    for (const other of others) {
      first?.addLink({ context: other.spanContext() });
      if (first !== undefined) other.addLink({ context: first.spanContext() });
    }
    return this.#during(spans, work);
  }

  /** Does work as a span below the one in which it is called, with the headers that tell a server of it; without such a span just the work. */
  below<T>(spec: SpanSpec, work: (headers: Record<string, string>) => Promise<T>): Promise<T> {
    const parent = this.#current.getStore();
    if (parent === undefined) return work({});
    const span = isKept(parent.spanContext()) ? this.#begin(spec, trace.setSpan(ROOT_CONTEXT, parent)) : parent;
    const { traceId, spanId, traceFlags } = span.spanContext();
    return this.#during([span], () => work({ traceparent: `00-${traceId}-${spanId}-0${traceFlags}` }));
  }

  /** What is logged meanwhile is part of the trace that is named after this UUID. */
  within(id: string, work: () => void): void {
    this.#current.run(trace.wrapSpanContext(this.#first(id)), work);
  }

  /** Adds to the span in which it is called. */
  note(attributes: Attributes): void {
    this.#current.getStore()?.setAttributes(attributes);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await withTimeout(FLUSH_MS, this.#provider.shutdown()).catch((thrown) => this.#onProblem(errorWords(thrown)));
  }

  #first(id: string): SpanContext {
    const traceId = id.replaceAll('-', '');
    const isKept = this.#sampler.shouldSample(ROOT_CONTEXT, traceId).decision === SamplingDecision.RECORD_AND_SAMPLED;
    return { traceId, spanId: traceId.slice(16), traceFlags: isKept ? TraceFlags.SAMPLED : TraceFlags.NONE, isRemote: true };
  }

  #named({ of, isFirst, links = [], ...spec }: NamedSpan): Span {
    const first = this.#first(of);
    // Nine in ten are not, where a tenth is: nothing is made of them.
    if (!isKept(first)) return trace.wrapSpanContext(first);
    this.#ids = isFirst ? first : null;
    const span = this.#begin(spec, isFirst ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, first));
    this.#ids = null;
    return span.addLinks(links.map((id) => ({ context: this.#first(id) })));
  }

  #begin({ name, kind, attributes, beganAt }: SpanSpec, context: typeof ROOT_CONTEXT): Span {
    return this.#tracer.startSpan(name, { kind: SpanKind[kind], attributes, ...(beganAt === undefined ? {} : { startTime: beganAt }) }, context);
  }

  /** What is logged meanwhile is of the span, if there is one only. */
  async #during<T>(spans: readonly Span[], work: () => Promise<T>): Promise<T> {
    const [span] = spans;
    try {
      return await (span === undefined || spans.length > 1 ? work() : this.#current.run(span, work));
    } catch (thrown) {
      // Its message may have been made of anything.
      const error = codeOf(thrown) || (thrown instanceof Error ? thrown.name : 'unknown');
      for (const each of spans) each.setAttribute('error.type', error).setStatus({ code: SpanStatusCode.ERROR });
      throw thrown;
    } finally {
      for (const each of spans) each.end();
    }
  }
}

function isKept({ traceFlags }: SpanContext): boolean {
  return traceFlags === TraceFlags.SAMPLED;
}
