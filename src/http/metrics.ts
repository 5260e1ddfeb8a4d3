import { Counter, Gauge, Histogram, Registry, Summary, collectDefaultMetrics } from 'prom-client';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Paths that are asked all the time by machinery, and would drown the rest. */
const UNCOUNTED = new Set(['/metrics', '/health', '/load', '/ping', '/version']);

const FINE_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 2.5, 3, 5, 10, 30, 60];
const COARSE_BUCKETS = [0.1, 0.5, 1];
const WORK_BUCKETS = [0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];
const STATE_BUCKETS = [256, 512, 1024, 2048, 4096, 16_384, 65_536, 262_144, 1_048_576];

/** The server's Prometheus metrics. Those of HTTP carry the reference's names. */
export class Metrics {
  private readonly registry = new Registry();
  private readonly requests: Counter<'handler' | 'method' | 'status'>;
  private readonly duration: Histogram<'handler' | 'method'>;
  private readonly fineDuration: Histogram;
  private readonly requestBytes: Summary<'handler'>;
  private readonly responseBytes: Summary<'handler'>;
  private readonly work: Histogram<'endpoint' | 'parser'>;
  private readonly tokens: Counter<'endpoint' | 'direction'>;
  private readonly stateBytes: Histogram;
  private readonly parser: string;

  /** @param parser the server's parsers, as a label */
  constructor(parser: string, version: string) {
    this.parser = parser;
    const registers = [this.registry];
    collectDefaultMetrics({ register: this.registry });
    this.requests = new Counter({
      name: 'http_requests_total',
      help: 'Requests by path, method and status class.',
      labelNames: ['handler', 'method', 'status'],
      registers,
    });
    this.duration = new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Seconds from request to answer, by path.',
      labelNames: ['handler', 'method'],
      buckets: COARSE_BUCKETS,
      registers,
    });
    this.fineDuration = new Histogram({
      name: 'http_request_duration_highr_seconds',
      help: 'Seconds from request to answer, in fine steps.',
      buckets: FINE_BUCKETS,
      registers,
    });
    this.requestBytes = new Summary({
      name: 'http_request_size_bytes',
      help: 'Bytes of request bodies.',
      labelNames: ['handler'],
      percentiles: [],
      registers,
    });
    this.responseBytes = new Summary({
      name: 'http_response_size_bytes',
      help: 'Bytes of answers.',
      labelNames: ['handler'],
      percentiles: [],
      registers,
    });
    this.work = new Histogram({
      name: 'derender_work_seconds',
      help: 'Seconds of rendering or derendering, without reading and writing JSON.',
      labelNames: ['endpoint', 'parser'],
      buckets: WORK_BUCKETS,
      registers,
    });
    this.tokens = new Counter({
      name: 'derender_tokens_total',
      help: 'Token ids taken in (derender) and given out (render).',
      labelNames: ['endpoint', 'direction'],
      registers,
    });
    this.stateBytes = new Histogram({
      name: 'derender_stream_state_bytes',
      help: 'Size of stream_state in answers.',
      buckets: STATE_BUCKETS,
      registers,
    });
    new Gauge({ name: 'derender_info', help: 'Version and parsers of this server.', labelNames: ['version', 'parser'], registers }).set(
      { version, parser },
      1,
    );
  }

  /** Counts an HTTP request that was answered. */
  observeRequest(request: FastifyRequest, reply: FastifyReply, milliseconds: number): void {
    const handler = request.is404 ? 'none' : (request.routeOptions.url ?? 'none');
    if (UNCOUNTED.has(handler)) return;
    const seconds = milliseconds / 1000;
    this.requests.inc({ handler, method: request.method, status: `${Math.floor(reply.statusCode / 100)}xx` });
    this.duration.observe({ handler, method: request.method }, seconds);
    this.fineDuration.observe(seconds);
    this.requestBytes.observe({ handler }, Number(request.headers['content-length'] ?? 0) || 0);
    this.responseBytes.observe({ handler }, Number(reply.getHeader('content-length') ?? 0) || 0);
  }

  /** Starts the clock for one rendering or derendering; `done` counts it with the token ids that it gave out or took in. */
  startWork(endpoint: string): { done(direction: 'in' | 'out', tokens: number): void } {
    const start = process.hrtime.bigint();
    return {
      done: (direction, tokens) => {
        this.work.observe({ endpoint, parser: this.parser }, Number(process.hrtime.bigint() - start) / 1e9);
        this.tokens.inc({ endpoint, direction }, tokens);
      },
    };
  }

  /** @param bytes length of the JSON text */
  observeStreamState(bytes: number): void {
    this.stateBytes.observe(bytes);
  }

  get contentType(): string {
    return this.registry.contentType;
  }

  /** The metrics in Prometheus' text form. */
  text(): Promise<string> {
    return this.registry.metrics();
  }
}
