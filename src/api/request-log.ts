/** A finished request, for the connection screen. It contains no parameters. */
interface RequestRecord {
  /** The id of the endpoint, or the request line of a raw call. */
  readonly endpoint: string;
  /** When the request was sent, in milliseconds since the epoch. */
  readonly at: number;
  /** The time until the head of the response, or until the failure. */
  readonly ms: number;
  /** The HTTP status; undefined when no response arrived. */
  readonly status: number | undefined;
}

/** The server's last word about its limit of requests. */
export interface RateLimit {
  readonly limit: number;
  readonly remaining: number;
  /** When all requests are available again, in milliseconds since the epoch. */
  readonly resetAt: number;
}

const maxRecords = 8;

/** The last requests of a connection, and the server's rate limit as they reported it. */
export class RequestLog {
  #records: readonly RequestRecord[] = [];
  #rateLimit: RateLimit | undefined;

  /** The newest first. Long polls are not among them: their time says nothing about the connection. */
  get records(): readonly RequestRecord[] {
    return this.#records;
  }

  get rateLimit(): RateLimit | undefined {
    return this.#rateLimit;
  }

  add(record: RequestRecord): void {
    this.#records = [record, ...this.#records].slice(0, maxRecords);
  }

  noteHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): void {
    const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) => {
      const value = headers[`x-ratelimit-${name}`];
      return typeof value === 'string' && value !== '' ? Number(value) : Number.NaN;
    });
    if (limit === undefined || remaining === undefined || reset === undefined) return;
    if (!Number.isFinite(limit + remaining + reset)) return;
    this.#rateLimit = {limit, remaining, resetAt: reset * 1000};
  }
}
