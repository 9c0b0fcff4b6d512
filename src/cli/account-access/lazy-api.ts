import type {Api} from '#api/api.ts';
import type {RequestLog} from '#api/request-log.ts';

export interface LazyApi {
  readonly api: Api;
  /** Closes the connection. The next request opens a new one, perhaps at another address. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

/** The properties of a connection that a session sets before the connection exists. */
const hookNames = ['onDroppedData', 'onLoginRefused', 'onSilence'] as const;
type ApiCall = (...args: unknown[]) => Promise<unknown>;

/**
 * Returns an API that is loaded and connected with the first request: validation and networking take longer
 * to load than everything that the first frame needs. `site` is the address until then.
 */
export function makeLazyApi(site: string, make: () => Promise<Api>): LazyApi {
  let pending: Promise<Api> | undefined;
  let current: Api | undefined;
  let level = 0;
  const hooks: Partial<Pick<Api['connection'], (typeof hookNames)[number]>> = {};

  const makeAndConfigure = async (): Promise<Api> => {
    const api = await make();
    api.connection.level = level;
    Object.assign(api.connection, hooks);
    current = api;
    return api;
  };
  const ready = (): Promise<Api> => {
    // A failure is not remembered: the next request tries again.
    pending ??= makeAndConfigure().catch((error: unknown) => {
      pending = undefined;
      throw error;
    });
    return pending;
  };
  const connection = {
    get site() {
      return current?.connection.site ?? site;
    },
    get isAuthenticated() {
      return current?.connection.isAuthenticated ?? true;
    },
    get requestLog(): Pick<RequestLog, 'records' | 'rateLimit'> {
      return current?.connection.requestLog ?? {records: [], rateLimit: undefined};
    },
    get level() {
      return level;
    },
    set level(value: number) {
      level = value;
      if (current !== undefined) current.connection.level = value;
    },
    webUrl: (address: string) => current?.connection.webUrl(address),
    resetSockets: () => current?.connection.resetSockets(),
    ...Object.fromEntries(
      (['call', 'callRaw', 'upload', 'download'] as const).map((name) => [
        name,
        deferred(ready, (api) => api.connection[name].bind(api.connection) as ApiCall),
      ]),
    ),
  };
  for (const name of hookNames) {
    Object.defineProperty(connection, name, {
      get: () => hooks[name],
      set: (hook) => {
        hooks[name] = hook;
        if (current !== undefined) current.connection[name] = hook;
      },
    });
  }
  const reset = async (): Promise<void> => {
    const previous = current;
    current = undefined;
    pending = undefined;
    await previous?.connection.close();
  };
  return {api: apiProxy(connection, ready), reset, close: reset};
}

/** Returns a proxy that forwards each method to the API of the same name once it is ready. */
function apiProxy(connection: object, ready: () => Promise<Api>): Api {
  const calls = new Map<string, ApiCall>();
  const callOf = (name: string): ApiCall => {
    const known = calls.get(name);
    if (known !== undefined) return known;
    const call = deferred(ready, (api) => Reflect.get(api, name) as ApiCall);
    calls.set(name, call);
    return call;
  };
  const api: unknown = new Proxy(
    {},
    {
      get: (_none, name) => {
        if (typeof name === 'symbol') return undefined;
        return name === 'connection' ? connection : callOf(name);
      },
    },
  );
  return api as Api; // The proxy forwards every property to an Api.
}

function deferred(ready: () => Promise<Api>, callIn: (api: Api) => ApiCall): ApiCall {
  return async (...args) => {
    const api = await unlessAborted(ready(), signalIn(args));
    return callIn(api)(...args);
  };
}

function signalIn(args: readonly unknown[]): AbortSignal | undefined {
  for (const options of args) {
    if (typeof options !== 'object' || options === null || !('signal' in options)) continue;
    if (options.signal instanceof AbortSignal) return options.signal;
  }
  return undefined;
}

/** Rejects when the signal aborts, even if starting a server or a key_command takes longer. */
async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  signal.throwIfAborted();
  const {promise: aborted, reject} = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort, {once: true});
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
