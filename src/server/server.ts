import type {Server} from 'node:http';
import {setImmediate as nextImmediate} from 'node:timers/promises';
import {defaultPasswordCost} from '#server/accounts/password.ts';
import {Secrets} from '#server/accounts/secrets.ts';
import {startFullMemberWatcher} from '#server/actions/events/user-events.ts';
import {failInterruptedExports} from '#server/actions/organization/data-exports.ts';
import {Database} from '#server/db/database.ts';
import {EventQueues} from '#server/event-queues/event-queues.ts';
import {RegistrationLine} from '#server/event-queues/registration-line.ts';
import {createListener, followCertificate} from '#server/http/listener.ts';
import type {CertificateFiles, ListenerOptions, RequestObserver} from '#server/http/listener-options.ts';
import {isLoopback} from '#server/http/request-address.ts';
import type {ServerEvent} from '#server/http/server-events.ts';
import {createMailer} from '#server/mail/mail-queue.ts';
import type {MailOptions} from '#server/mail/mailer.ts';
import {startMissedMessageMail} from '#server/mail/missed-messages.ts';
import type {MetricsAddress} from '#server/operator/metrics.ts';
import {startOwnerWarnings} from '#server/operator/owner-warnings.ts';
import {bootstrapOrganization} from '#server/organization/bootstrap.ts';
import {worldOf} from '#server/seed/seed-world.ts';
import type {Faults} from '#server/testing/test-hooks.ts';
import {type FileStore, memoryFileStore} from '#server/uploads/file-store.ts';
import {type Clock, systemClock} from '#std/clock.ts';
import {LruCache} from '#std/lru-cache.ts';
import {currentLevel} from '#wire/levels.ts';
import {guarded, guardedClock} from './background-task.ts';
import type {ExportWriter, ServerContext} from './context.ts';
import {DeferredMessageWork} from './deferred-message-work.ts';
import {DerivedFactsCache} from './derived-facts-cache.ts';
import {MarkdownRenderer} from './markdown-renderer.ts';
import {RateLimiter} from './rate-limiter.ts';
import {startRetention} from './retention.ts';
import {routes, webRoutes} from './routes.ts';
import {runAction} from './run-action.ts';
import {noScheduledDelivery, startScheduledDelivery} from './scheduled-delivery.ts';

export interface ServerOptions {
  readonly host?: string;
  readonly port?: number;
  /** For TLS. Default: plain HTTP. */
  readonly certificate?: CertificateFiles | undefined;
  /** The URL by which clients reach this server, if not the address it listens on. */
  readonly publicUrl?: string;
  /** A file, or `:memory:`. */
  readonly database?: string;
  /** The CPU time that the searches of one request may take. Tests set it. */
  readonly searchBudgetMs?: number;
  readonly files?: FileStore;
  readonly secrets?: Secrets;
  /** Only tests set it, lower than the default, because hashing would take most of their time. */
  readonly passwordCost?: number;
  readonly level?: number;
  readonly clock?: Clock;
  readonly random?: () => number;
  /** Whether keys are given out without a password; never to other machines. */
  readonly demo?: boolean;
  /** Names by which clients reach this server, besides those in `host` and `publicUrl`. */
  readonly names?: readonly string[];
  /** Whether a proxy in front of this server names each client's address. Default: false. */
  readonly trustsProxy?: boolean;
  /** Whether requests are limited as on Zulip's servers. Default: true. */
  readonly rateLimited?: boolean;
  readonly testHooks?: boolean;
  /** See `ServerContext.duringRegistration`. */
  readonly duringRegistration?: (userId: number) => Promise<unknown>;
  /** Runs whenever long work pauses, which it then does as often as it can. Tests set it. */
  readonly duringPause?: () => Promise<unknown>;
  /** The size in bytes of the largest file that may be uploaded. */
  readonly uploadLimit?: number;
  /** Whether the demo bots run: `quiet` ones only answer. Default: off. */
  readonly bots?: 'on' | 'quiet' | 'off';
  /** Fills a new organization; runs before the server accepts requests. */
  readonly prepare?: (server: ServerContext) => void | Promise<void>;
  /** Called with every request when it arrives, for example to count them. */
  readonly onRequest?: RequestObserver;
  /** The SMTP server that sends e-mail. Default: none is sent. */
  readonly mail?: MailOptions | undefined;
  /** Where numbers about the server are served. Default: nowhere. */
  readonly metrics?: MetricsAddress | undefined;
  /** The version of the program. */
  readonly version?: string;
  /** Called with what the log of the server has a line for, besides failures. */
  readonly onEvent?: (event: ServerEvent) => void;
  readonly log?: (line: string, error?: unknown) => void;
  /** See `ServerContext.writeExport`. */
  readonly writeExport?: ExportWriter | undefined;
  /** Whether to only open the organization, without serving it. */
  readonly isOffline?: boolean;
}

export interface RunningServer {
  readonly url: string;
  /** The port that it listens on; `url` may name that of a proxy. */
  readonly port: number;
  /** The port of the metrics. */
  readonly metricsPort: number | undefined;
  readonly context: ServerContext;
  readonly faults: Faults | undefined;
  /** Returns another listener, of plain HTTP for processes of this server; it does not listen yet, and is closed with the server. */
  localListener(): Server;
  /** Reads the files of the certificate again. If they cannot be used, the old certificate stays. */
  reloadCertificate(): void;
  close(): Promise<void>;
}

const mib = 1024 * 1024;
const sliceMs = 10;
const requestRates = {user: 200, address: 100, web: 600};

/**
 * The turns of the event loop between two parts of long work. Node accepts one connection in each, and after a restart many
 * clients connect at once: with one turn, a message from a new connection would wait for a part of long work for each of them.
 */
const turnsForOthers = 16;

/** Resolves after requests and connections that wait were served. */
async function serveOthers(): Promise<void> {
  for (let count = 0; count < turnsForOthers; count++) await nextImmediate();
}

function bothObservers(
  first: RequestObserver | undefined,
  second: RequestObserver | undefined,
): RequestObserver | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  return (...request) => {
    first(...request);
    second(...request);
  };
}

/** Starts a server. If that fails, nothing stays open. */
export async function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  const {log = () => {}} = options;
  const clock = guardedClock(options.clock ?? systemClock, log);
  let damage: ServerContext['databaseDamage'];
  const onDamage = (error: Error) => {
    // Once: each request that fails because of it has a line of its own.
    if (damage !== undefined) return;
    damage = {at: clock.now(), text: error.message};
    log('The database is damaged. Check it with “parley serve check”, and restore a backup', error);
  };
  const db = new Database(options.database ?? ':memory:', {...options, onConvert: log, onDamage});
  try {
    return await serveDatabase(db, () => damage, {...options, clock, log});
  } catch (error) {
    db.close();
    throw error;
  }
}

async function serveDatabase(
  db: Database,
  damage: () => ServerContext['databaseDamage'],
  options: ServerOptions & Required<Pick<ServerOptions, 'clock' | 'log'>>,
): Promise<RunningServer> {
  const {clock, log} = options;
  const host = options.host ?? '127.0.0.1';
  const random = options.random ?? Math.random;
  const level = options.level ?? currentLevel;
  const uploadLimit = options.uploadLimit ?? 100 * mib;
  const rates = (options.rateLimited ?? true) ? requestRates : null;
  bootstrapOrganization(db, Math.floor(clock.now() / 1000));
  // Production servers never load the test equipment, to which the older levels belong.
  const downgrade =
    level < currentLevel
      ? (await import('#server/testing/levels/downgrade-to.ts')).downgradeTo(level, () => server)
      : undefined;
  const queues = new EventQueues(clock, {keepArchive: options.testHooks === true, rewrite: downgrade?.event, log});
  let url = options.publicUrl ?? '';
  let delivery = noScheduledDelivery;
  let turn = Promise.resolve();
  const server: ServerContext = {
    db,
    clock,
    random,
    level,
    downgrade,
    queues,
    secrets: options.secrets ?? Secrets.generate(),
    passwordCost: options.passwordCost ?? defaultPasswordCost,
    files: options.files ?? memoryFileStore(),
    program: options.isOffline === true ? undefined : {version: options.version ?? '', startedAt: clock.now()},
    limits: {fileMib: uploadLimit / mib, rates: options.isOffline === true ? undefined : rates},
    derivedFacts: new DerivedFactsCache(db),
    callerCache: new LruCache(5_000),
    connectionKeys: new Map(),
    ssh: undefined,
    get renderer() {
      return renderer;
    },
    get demo() {
      return isDemo;
    },
    duringRegistration: options.duringRegistration,
    externalLogin: undefined,
    get databaseDamage() {
      return damage();
    },
    get url() {
      return url;
    },
    get scheduledDelivery() {
      return delivery;
    },
    messageListeners: new Set(),
    mail: options.mail && createMailer(options.mail, () => server, log),
    get deferredWork() {
      return deferredWork;
    },
    sliceMs: options.duringPause === undefined ? sliceMs : 0,
    async nextTurn() {
      turn = turn.then(serveOthers);
      await turn;
      await options.duringPause?.();
    },
    registrations: new RegistrationLine(() => server.nextTurn()),
    writeExport: options.writeExport,
    runAction: (body) => runAction(server, body),
  };
  const renderer = new MarkdownRenderer(server);
  const deferredWork = new DeferredMessageWork(server, log);
  await options.prepare?.(server);
  const isDemo =
    options.demo === true && options.publicUrl === undefined && isLoopback(host) && worldOf(server) !== 'empty';
  deferredWork.reload();
  const stopTimers = () => {
    queues.stop();
    deferredWork.stop();
  };
  if (options.isOffline === true) {
    // Search entries of new messages are written by the next server.
    const close = async () => {
      stopTimers();
      db.close();
    };
    const localListener = () => {
      throw new Error('The organization is not served.');
    };
    return {
      url: server.url,
      port: 0,
      metricsPort: undefined,
      context: server,
      faults: undefined,
      localListener,
      reloadCertificate() {},
      close,
    };
  }
  failInterruptedExports(server);
  const testHooks =
    options.testHooks === true ? (await import('#server/testing/test-hooks.ts')).createTestHooks() : undefined;
  // Loaded on demand, because most servers run without them.
  const metrics =
    options.metrics === undefined
      ? undefined
      : (await import('#server/operator/metrics.ts')).createMetrics(server, log);
  const listenerOptions: ListenerOptions = {
    server,
    routes,
    webRoutes: [...webRoutes, ...(testHooks?.webRoutes ?? [])],
    faults: testHooks?.faults,
    limits:
      rates === null
        ? undefined
        : {
            byUser: new RateLimiter(clock, rates.user, 60),
            byAddress: new RateLimiter(clock, rates.address, 60),
            web: new RateLimiter(clock, rates.web, 60),
          },
    trustsProxy: options.trustsProxy ?? false,
    names: [
      host,
      ...(options.publicUrl === undefined ? [] : [new URL(options.publicUrl).hostname]),
      ...(options.names ?? []),
    ],
    uploadLimit,
    certificate: options.certificate,
    onRequest: bothObservers(options.onRequest, metrics?.onRequest),
    log,
    onEvent: options.onEvent ?? (() => {}),
  };
  const listener = createListener(listenerOptions);
  const metricsPort = options.metrics && (await metrics?.listen(options.metrics));
  const localListeners: Server[] = [];
  await new Promise<void>((resolve, reject) => {
    listener.once('error', reject);
    listener.listen(options.port ?? 0, host, resolve);
  }).catch((error: unknown) => {
    metrics?.close();
    throw error;
  });
  const listening = listener.address();
  const port = typeof listening === 'object' ? (listening?.port ?? 0) : 0;
  const certificate =
    options.certificate && 'setSecureContext' in listener
      ? followCertificate(listener, options.certificate, clock, log)
      : undefined;
  const address = `${certificate === undefined ? 'http' : 'https'}://${host.includes(':') ? `[${host}]` : host}:${port}`;
  url = options.publicUrl ?? address;
  delivery = startScheduledDelivery(server, log);
  server.mail?.start();
  const missedMessages = server.mail && startMissedMessageMail(server, server.mail, log);
  const retention = startRetention(server, log);
  const ownerWarnings = startOwnerWarnings(server, log);
  const fullMemberWatcher = startFullMemberWatcher(server, log);
  const {bots: wantedBots = 'off'} = options;
  // Loaded on demand, because most servers run without them.
  const bots =
    wantedBots === 'off'
      ? undefined
      : (await import('#server/demo-bots/start-demo-bots.ts')).startDemoBots(server, {
          smallTalk: wantedBots === 'on',
          log,
        });
  return {
    url,
    port,
    metricsPort,
    context: server,
    faults: testHooks?.faults,
    localListener() {
      // What it says of the address of a client comes from the process that connects.
      const local = createListener({...listenerOptions, certificate: undefined});
      localListeners.push(local);
      return local;
    },
    reloadCertificate: () => certificate?.reload(),
    async close() {
      bots?.stop();
      metrics?.close();
      delivery.stop();
      certificate?.stop();
      missedMessages?.stop();
      server.mail?.stop();
      retention.stop();
      ownerWarnings.stop();
      fullMemberWatcher.stop();
      stopTimers();
      const closed = new Promise<void>((resolve) => listener.close(() => resolve()));
      for (const local of localListeners) {
        local.close();
        local.closeAllConnections();
      }
      listener.closeIdleConnections();
      setImmediate(guarded(() => listener.closeAllConnections(), log));
      await closed;
      db.close();
    },
  };
}
