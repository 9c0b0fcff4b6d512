import {makeApi} from '#api/api.ts';
import {Connection} from '#api/connection.ts';
import {appFeatures} from '#app/app-features.ts';
import {ComposerSaver} from '#app/composer/composer-saver.ts';
import {App} from '#app/core/app.ts';
import {moveInMessages} from '#app/message-pane/move-in-messages.ts';
import {watchTimelines} from '#app/message-pane/timeline-watcher.ts';
import {initialState} from '#state/initial-state.ts';
import {withMessages} from '#state/messages/loaded-messages.ts';
import {everythingNarrow, narrowKey} from '#state/model/narrow.ts';
import {emptyTimeline} from '#state/model/timeline.ts';
import {createSession} from '#state/session.ts';
import {systemClock} from '#std/clock.ts';
import {SortedMap, SortedSet} from '#std/sorted-map.ts';
import {openAccountStore} from '#storage/open-account-store.ts';
import {defaultSettings} from '#test/support/default-settings.ts';
import {messagePaneLines} from '#test/support/part-lines.ts';
import * as eg from '#test/support/state-builders.ts';
import {themes} from '#theme/themes.ts';
import {messagesView} from '#ui/core/frame.ts';
import type {Motion} from '#ui/core/motion.ts';
import {paintLine} from '#ui/Lines.tsx';
import {newScreen} from '#ui/new-screen.ts';
import {prepareScreen} from '#ui/prepare-screen.ts';
import {screenLayout} from '#ui/screen-layout.ts';

/**
 * node test/bench/timeline.ts
 *
 * Prints what a key costs among 10,000 messages, without Ink: the motion, the lines of the pane, and their painting.
 */

const words =
  'rollback finished numbers are fine **bold** `code` see #backend and https://ci.example.com/run/8812 tomorrow'.split(
    ' ',
  );

function message(id: number) {
  const length = 4 + ((id * 7919) % 40);
  const text = Array.from({length}, (_, at) => words[(id * 31 + at * 17) % words.length]).join(' ');
  const content = id % 23 === 0 ? `${text}\n\`\`\`js\nconst a = ${id};\nreturn a;\n\`\`\`` : text;
  return eg.message({
    id,
    senderId: 11 + (id % 7),
    topic: `topic ${Math.floor(id / 5) % 9}`,
    content,
    timestamp: 1_767_225_600 + id * 60,
  });
}

const messages = Array.from({length: 10_000}, (_, at) => message(at + 1));
const timeline = {
  ...emptyTimeline(everythingNarrow),
  ids: SortedSet.from(messages.map(({id}) => id)),
  hasOldest: true,
  hasNewest: true,
};
const state = eg.state({
  channels: eg.byId(eg.channel({id: 1, name: 'backend'})),
  users: eg.users(...[10, 11, 12, 13, 14, 15, 16, 17].map((id) => eg.user({id}))),
  messages: withMessages(initialState.messages, messages),
  timelines: SortedMap.from([[narrowKey(everythingNarrow), timeline]]),
  connection: {phase: 'offline', since: 0, retryAt: undefined, problem: '', savedAt: undefined},
});
const connection = new Connection({site: 'http://127.0.0.1:9', userAgent: 'bench'});
const {store} = openAccountStore({path: ':memory:', clock: systemClock, random: Math.random, log: () => {}});
const session = createSession({
  api: makeApi(connection),
  store,
  clock: systemClock,
  random: Math.random,
  log: () => {},
  initial: state,
});

for (const [columns, rows] of [
  [200, 50],
  [80, 24],
] as const) {
  const app = new App({
    session,
    features: appFeatures,
    screen: newScreen({columns, rows}, messagesView(everythingNarrow)),
    display: {
      theme: themes.default,
      depth: '256',
      hasHyperlinks: true,
      bidi: 'off',
      glyphs: 'unicode',
      emoji: {},
      linkPreviews: true,
      zone: 'UTC',
    },
    info: {accountName: 'bench', accountCount: 1, isExploring: false, isReadOnly: false},
    settings: {
      ...defaultSettings,
      undoSendSeconds: 0,
      enterSends: true,
    },
    device: {} as never, // Nothing here asks the terminal for anything.
    clock: systemClock,
    prepareScreen,
    composerPersistence: (app) => new ComposerSaver(app),
    isBlocked: () => false,
    whenDrained: (task) => task(),
  });
  watchTimelines(app);
  const frame = (motion: Motion) => {
    const began = performance.now();
    moveInMessages(app, motion);
    app.frames.paintNow();
    for (const line of messagePaneLines(app.frames.paintedFrame, screenLayout(app.frames.paintedFrame).main))
      paintLine(line, app.display);
    return performance.now() - began;
  };
  const measure = async (name: string, motion: Motion, {count = 300, pauseMs = 0} = {}) => {
    const times: number[] = [];
    for (let i = 0; i < count; i++) {
      times.push(frame(motion));
      if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
    times.sort((a, b) => a - b);
    const at = (share: number) => (times[Math.floor(share * times.length)] ?? 0).toFixed(2);
    console.log(`${columns}x${rows} ${name.padEnd(26)} p50 ${at(0.5)}  p99 ${at(0.99)} ms`);
  };
  frame({to: 'last'});
  await measure('page up, key held down', {by: 'page', step: -1});
  await measure('page up, one by one', {by: 'page', step: -1}, {count: 40, pauseMs: 60});
  await measure('page down (seen)', {by: 'page', step: 1});
  await measure('selection up', {by: 'item', step: -1});
  await measure('selection down', {by: 'item', step: 1});
  await measure('line up', {by: 'line', step: -1});
  await measure('line down', {by: 'line', step: 1});
  app.end();
}
store.close();
await connection.close();
