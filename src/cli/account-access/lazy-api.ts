import type {Api} from '#api/api.ts';

export interface LazyApi {
  readonly api: Api;
  /** What was made is let go; the next request makes it anew, perhaps at another address. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

type ApiCall = (...given: unknown[]) => Promise<unknown>;

/**
 * Everything that speaks to a server, loaded and made with the first request: validating and connecting take longer to load
 * than all that paints the first picture. `site` is what is known of the address until then.
 */
export function makeLazyApi(site: string, make: () => Promise<Api>): LazyApi {
  let making: Promise<Api> | undefined;
  let made: Api | undefined;
  let level = 0;
  let report: Api['connection']['onDroppedData'] = () => {};
  let unwelcome: Api['connection']['onLoginRefused'] = () => {};

  const makeIt = async (): Promise<Api> => {
    const api = await make();
    api.connection.level = level;
    api.connection.onDroppedData = report;
    api.connection.onLoginRefused = unwelcome;
    made = api;
    return api;
  };
  const ready = (): Promise<Api> => {
    // A failure is not kept: the next request tries again.
    making ??= makeIt().catch((error: unknown) => {
      making = undefined;
      throw error;
    });
    return making;
  };
  const connection = {
    get site() {
      return made?.connection.site ?? site;
    },
    get isAuthenticated() {
      return made?.connection.isAuthenticated ?? true;
    },
    get level() {
      return level;
    },
    set level(value: number) {
      level = value;
      if (made !== undefined) made.connection.level = value;
    },
    get onDroppedData() {
      return report;
    },
    set onDroppedData(value: Api['connection']['onDroppedData']) {
      report = value;
      if (made !== undefined) made.connection.onDroppedData = value;
    },
    get onLoginRefused() {
      return unwelcome;
    },
    set onLoginRefused(value: Api['connection']['onLoginRefused']) {
      unwelcome = value;
      if (made !== undefined) made.connection.onLoginRefused = value;
    },
    webUrl: (address: string) => made?.connection.webUrl(address),
    resetSockets: () => made?.connection.resetSockets(),
    ...Object.fromEntries(
      (['call', 'callRaw', 'upload', 'download'] as const).map((name) => [
        name,
        deferred(ready, (api) => api.connection[name].bind(api.connection) as ApiCall),
      ]),
    ),
  };
  const letGo = async (): Promise<void> => {
    const before = made;
    made = undefined;
    making = undefined;
    await before?.connection.close();
  };
  return {api: byName(connection, ready), reset: letGo, close: letGo};
}

/** Each function of the real one by its name. */
function byName(connection: object, ready: () => Promise<Api>): Api {
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
  return api as Api; // Whatever is asked of it is asked of one.
}

function deferred(ready: () => Promise<Api>, callIn: (api: Api) => ApiCall): ApiCall {
  return async (...given) => {
    const api = await unlessAborted(ready(), signalIn(given));
    return callIn(api)(...given);
  };
}

function signalIn(given: readonly unknown[]): AbortSignal | undefined {
  for (const options of given) {
    if (typeof options !== 'object' || options === null || !('signal' in options)) continue;
    if (options.signal instanceof AbortSignal) return options.signal;
  }
  return undefined;
}

/** Starting a server or a key's command may take its time; nobody has to wait for it who does not want to. */
async function unlessAborted<T>(waited: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return waited;
  signal.throwIfAborted();
  const {promise, reject} = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort, {once: true});
  try {
    return await Promise.race([waited, promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
