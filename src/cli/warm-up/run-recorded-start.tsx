import {Writable} from 'node:stream';
import {render} from 'ink';
import type {Api} from '#api/api.ts';
import {appFeatures} from '#app/app-features.ts';
import {ComposerSaver} from '#app/compose/composer-saver.ts';
import {watchComposer} from '#app/compose/composer-watcher.ts';
import {App} from '#app/core/app.ts';
import type {Device} from '#app/core/device.ts';
import {newScreen} from '#app/core/new-screen.ts';
import {startInboxWatchers} from '#app/inbox/enter-inbox.ts';
import {prepareScreen} from '#app/prepare-screen.ts';
import {watchTimelines} from '#app/timeline/timeline-watcher.ts';
import {startScreenWatchers} from '#app/watchers/screen-watchers.ts';
import {commandTable} from '#commands/command-table.ts';
import {makeKeyGuide} from '#commands/key-guide.ts';
import {KeyRouter} from '#commands/key-router.ts';
import {defaultKeymap} from '#commands/keymap.ts';
import type {AccountStore} from '#state/account-store.ts';
import type {Message} from '#state/model/message.ts';
import {restoreState} from '#state/persistence/persistence.ts';
import {createSession, type Session} from '#state/session.ts';
import type {Clock} from '#std/clock.ts';
import {parseKeyName} from '#terminal/input/key.ts';
import {stubStdin} from '#terminal/input/stub-stdin.ts';
import {themes} from '#theme/themes.ts';
import {Screen} from '#ui/Screen.tsx';
import {AppContext} from '#ui/use-frame.ts';

/** A start of the demo that was recorded when the program was built: what the disk held and what the server responded. */
export interface RecordedStart {
  readonly saved: {readonly parts: Readonly<Record<string, string>>; readonly savedAt: number};
  readonly messages: readonly Message[];
  /** The results of API calls, by the name of the call. */
  readonly results: Readonly<Record<string, unknown>>;
}

/** Keys that compile what most sessions use: lists, a conversation, scrolling, the composer, menus. */
const keys = [
  'j',
  'k',
  'j',
  'Enter',
  'K',
  'J',
  'Ctrl-Y',
  'Ctrl-E',
  'r',
  'h',
  'i',
  ' ',
  'x',
  'Esc',
  'n',
  'Esc',
  ';',
  'Esc',
  'I',
];

/** Starts the screen with the recorded data, paints it at two sizes and presses keys. */
export async function runRecordedStart(recorded: RecordedStart): Promise<void> {
  await Promise.all([
    import('#cli/screen/run-screen-verb.ts'),
    import('#cli/screen/open-screen.ts'),
    import('#cli/io.ts'),
    import('#cli/verbs/run-verb.ts'),
    import('#cli/verbs/verb-runners.ts'),
    import('#cli/verbs/unread.ts'),
    import('#cli/verbs/send.ts'),
  ]);
  for (const size of [
    {columns: 120, rows: 40},
    {columns: 80, rows: 24},
  ]) {
    const store = recordedStore(recorded);
    const session = createSession({
      api: recordedApi(recorded),
      store,
      clock: stoppedClock(recorded.saved.savedAt),
      random: () => 0.5,
      log: () => {},
      initial: restoreState(store),
    });
    const app = startApp(session, size);
    const ink = render(
      <AppContext value={app}>
        <Screen />
      </AppContext>,
      {
        stdout: sink(size),
        stdin: stubStdin() as never,
        exitOnCtrlC: false,
        patchConsole: false,
        maxFps: 1000,
        incrementalRendering: true,
      },
    );
    session.start();
    await tick();
    const router = new KeyRouter(defaultKeymap, commandTable);
    for (const name of keys) {
      const key = parseKeyName(name);
      if (key !== undefined) router.handleEvents(app, [{kind: 'key', key}]);
      await tick();
    }
    app.end();
    ink.unmount();
    void session.stop();
    await tick();
  }
}

/** Creates the app of a session without a terminal. */
function startApp(session: Session, size: {readonly columns: number; readonly rows: number}): App {
  const app: App = new App({
    session,
    features: appFeatures,
    screen: newScreen(size, {kind: 'inbox'}),
    display: {
      theme: themes.default,
      depth: '256',
      hasHyperlinks: true,
      glyphs: 'unicode',
      emoji: {},
      linkPreviews: true,
      zone: undefined,
    },
    info: {
      accountName: 'demo',
      accountCount: 1,
      isExploring: false,
      isReadOnly: false,
      keys: makeKeyGuide(defaultKeymap, commandTable),
    },
    settings: {readOn: 'advance', markRead: 'server', afterReply: 'advance', undoSendSeconds: 0, enterSends: true},
    device: noDevice,
    clock: session.context.clock,
    prepareScreen,
    composerPersistence: (each) => new ComposerSaver(each),
    isBlocked: () => false,
    whenDrained: (task) => task(),
  });
  watchTimelines(app);
  startInboxWatchers(app);
  watchComposer(app);
  startScreenWatchers(app);
  return app;
}

/** A terminal whose functions do nothing. */
const noDevice = new Proxy({}, {get: () => () => {}}) as Device;

function recordedStore({saved, messages}: RecordedStart): AccountStore {
  const empty = (given: object) => new Proxy(given, {get: (known, name) => Reflect.get(known, name) ?? (() => [])});
  return {
    outbox: empty({}),
    drafts: empty({}),
    pendingChanges: empty({}),
    messages: empty({newest: () => messages, byIds: () => [], save: () => {}}),
    savedState: empty({load: () => saved, pack: () => new Promise(() => {}), packNow: () => undefined}),
    keyValues: empty({get: () => undefined}),
    onExternalChange: () => () => {},
    close: () => {},
  } as AccountStore;
}

/** An API that responds as recorded, and never to any other call. */
function recordedApi({results}: RecordedStart): Api {
  const call = (name: string) => () =>
    name in results ? Promise.resolve(structuredClone(results[name])) : new Promise(() => {});
  return new Proxy(
    {connection: {level: 0, site: 'http://localhost', webUrl: () => undefined}},
    {
      get: (known, name) => Reflect.get(known, name) ?? call(String(name)),
    },
  ) as unknown as Api;
}

function stoppedClock(now: number): Clock {
  return {now: () => now, after: () => () => {}};
}

function sink(size: {readonly columns: number; readonly rows: number}): NodeJS.WriteStream {
  const stream = new Writable({write: (_chunk, _encoding, done) => done()});
  return Object.assign(stream, {...size, isTTY: true}) as unknown as NodeJS.WriteStream;
}

/** Resolves when React has rendered. */
function tick(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
}
