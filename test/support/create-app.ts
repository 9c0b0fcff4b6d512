import {appFeatures} from '#app/app-features.ts';
import {loadSidebarViews} from '#app/channel-list/change-views.ts';
import {ComposerSaver, showUnsavedEdits} from '#app/composer/composer-saver.ts';
import {watchComposer} from '#app/composer/send-message.ts';
import {App} from '#app/core/app.ts';
import type {Accounts, AppSettings, Device, LocalSettings, RulesFile} from '#app/core/host.ts';
import {startInboxWatchers} from '#app/inbox/enter-inbox.ts';
import {watchTimelines} from '#app/message-pane/timeline-watcher.ts';
import {pinReferencedMessages} from '#app/watchers/screen-watchers.ts';
import {watchImages} from '#app/watchers/watch-images.ts';
import {watchChannelLists} from '#app/watchers/watch-lists.ts';
import {commandTable} from '#commands/command-table.ts';
import {makeKeyGuide} from '#commands/key-guide.ts';
import {KeyRouter} from '#commands/key-router.ts';
import {defaultKeymap, type Keymap} from '#commands/keymap.ts';
import type {Session} from '#state/session.ts';
import {type Clock, systemClock} from '#std/clock.ts';
import type {InputEvent} from '#terminal/input/input-events.ts';
import {keyOf, parseKeyName} from '#terminal/input/key.ts';
import type {AppInfo, View} from '#ui/core/frame.ts';
import {newScreen} from '#ui/new-screen.ts';
import {prepareScreen} from '#ui/prepare-screen.ts';
import {defaultSettings} from './default-settings.ts';
import {egAppInfo, egDisplay} from './frame-fixture.ts';

export interface AppFixtureOptions {
  readonly session: Session;
  readonly size?: string;
  readonly view?: View;
  readonly clock?: Clock;
  readonly keymap?: Keymap;
  readonly info?: Partial<AppInfo>;
  readonly settings?: Partial<AppSettings>;
  readonly device?: Partial<Device>;
  readonly accounts?: Accounts;
  readonly localSettings?: LocalSettings;
  readonly rulesFile?: RulesFile;
}

export interface AppFixture {
  readonly app: App;
  /** Presses keys by name, each in a separate read: `press('j', 'Ctrl-X', 'b')`. */
  press(...names: readonly string[]): void;
  /** Types characters one after the other in one read. */
  type(text: string): void;
  /** Sends any input events in one read. */
  take(...events: readonly InputEvent[]): void;
  readonly router: KeyRouter;
  /** The recorded calls of the device. */
  readonly deviceCalls: (readonly [name: string, ...args: unknown[]])[];
}

/** Creates an app over a session without a terminal; the caller ends it. */
export function createApp(options: AppFixtureOptions): AppFixture {
  const {session, size = '120x40', view = {kind: 'inbox'}, clock = systemClock} = options;
  const [columns = 120, rows = 40] = size.split('x').map(Number);
  const deviceCalls: (readonly [string, ...unknown[]])[] = [];
  const app = new App({
    session,
    features: appFeatures,
    screen: newScreen({columns, rows}, view),
    display: egDisplay,
    info: {...egAppInfo, keys: makeKeyGuide(options.keymap ?? defaultKeymap, commandTable), ...options.info},
    settings: {
      ...defaultSettings,
      undoSendSeconds: 0,
      enterSends: true,
      ...options.settings,
    },
    device: {...recordingDevice(deviceCalls), ...options.device},
    clock,
    prepareScreen,
    composerPersistence: (app) => new ComposerSaver(app),
    accounts: options.accounts,
    localSettings: options.localSettings,
    rulesFile: options.rulesFile,
    isBlocked: () => false,
    whenDrained: (task) => task(),
  });
  loadSidebarViews(app);
  showUnsavedEdits(app);
  watchTimelines(app);
  watchImages(app);
  startInboxWatchers(app);
  watchComposer(app);
  watchChannelLists(app);
  pinReferencedMessages(app);
  const router = new KeyRouter(options.keymap ?? defaultKeymap, commandTable);
  const pressed = (name: string): InputEvent => {
    const key = parseKeyName(name);
    if (key === undefined) throw new Error(`There is no key “${name}”`);
    return {kind: 'key', key};
  };
  return {
    app,
    router,
    deviceCalls,
    press: (...names) => {
      for (const name of names) router.handleEvents(app, [pressed(name)]);
    },
    take: (...events) => router.handleEvents(app, events),
    type: (text) => {
      router.handleEvents(
        app,
        [...text].map((character) => ({kind: 'key', key: keyOf(character === '\n' ? 'Enter' : character)})),
      );
    },
  };
}

function doNotDisturbInMemory(): Device['doNotDisturb'] {
  let until = 0;
  return {
    until: () => until,
    set: (next) => {
      until = next;
    },
  };
}

/** Returns a device that does nothing but record its calls. */
export function recordingDevice(calls: (readonly [string, ...unknown[]])[]): Device {
  const record = (name: string, ...args: unknown[]) => void calls.push([name, ...args]);
  return {
    copy: async (text) => {
      record('copy', text);
      return 'Copied';
    },
    open: async (url) => {
      record('open', url);
      return `Opened ${url}`;
    },
    edit: async (text, heading) => {
      record('edit', text, heading);
      return undefined;
    },
    bell: () => record('bell'),
    notify: (title, body) => record('notify', title, body),
    doNotDisturb: doNotDisturbInMemory(),
    setTitle: (title) => record('setTitle', title),
    setMouse: (isOn) => record('setMouse', isOn),
    setProgress: (percent) => record('setProgress', percent),
    redraw: () => record('redraw'),
    suspend: () => record('suspend'),
    quit: () => record('quit'),
    reportsShiftEnter: false,
    isRemote: false,
    readFile: async () => Promise.reject(new Error('There is no such file.')),
    clipboardImage: async () => Promise.reject(new Error('The clipboard contains no image.')),
    saveFile: async (name, bytes) => {
      let size = 0;
      for await (const chunk of bytes) size += chunk.length;
      record('saveFile', name, size);
      return `~/Downloads/${name}`;
    },
    listFiles: () => [],
  };
}
