import {defaultSettings} from '#test/support/default-settings.ts';
/**
 * npm run bench:images
 *
 * What a key costs in a conversation with 200 images, by protocol, compared with the same conversation without images: the
 * time from the key to the written frame, and the bytes until the images are drawn. Then the memory after 500 more images.
 * Images are encoded before, as the worker does it beside the screen.
 */

import './tsx-hook.ts';
import {EventEmitter} from 'node:events';
import {setTimeout as pause} from 'node:timers/promises';
import {makeApi} from '#api/api.ts';
import {Connection} from '#api/connection.ts';
import {initialState} from '#state/initial-state.ts';
import {withMessages} from '#state/messages/loaded-messages.ts';
import {everythingNarrow, narrowKey} from '#state/model/narrow.ts';
import {emptyTimeline} from '#state/model/timeline.ts';
import {createSession} from '#state/session.ts';
import {systemClock} from '#std/clock.ts';
import {LruCache} from '#std/lru-cache.ts';
import {SortedMap, SortedSet} from '#std/sorted-map.ts';
import {openAccountStore} from '#storage/open-account-store.ts';
import {type EncodedImage, encodeImage, pixelSizeFor} from '#terminal/images/encode-image.ts';
import {drawnPixels} from '#test/support/images/terminal-images.ts';
import * as eg from '#test/support/state-builders.ts';
import {themes} from '#theme/themes.ts';
import {type ImageDisplay, type ImageRequest, messagesView} from '#ui/core/frame.ts';
import {newScreen} from '#ui/new-screen.ts';
import {ms, printTable, summary} from './table.ts';

const [{createElement}, {render}, {App}, {appFeatures}, {ComposerSaver}, {AppContext}, {Screen}] = await Promise.all([
  import('react'),
  import('ink'),
  import('#app/core/app.ts'),
  import('#app/app-features.ts'),
  import('#app/composer/composer-saver.ts'),
  import('#ui/hooks/use-select.ts'),
  import('#ui/Screen.tsx'),
]);
const [{moveInMessages}, {prepareScreen}, {setFrameImages}, {drawnImages}] = await Promise.all([
  import('#app/message-pane/move-in-messages.ts'),
  import('#ui/prepare-screen.ts'),
  import('#ui/ink/frame-writer.ts'),
  import('#ui/ink/drawn-images.ts'),
]);

const [columns, rows] = [120, 40];
const cell = {width: 10, height: 20};
type Protocol = EncodedImage['protocol'];

/** A stdout that records what is written. */
class Recorder extends EventEmitter {
  readonly columns = columns;
  readonly rows = rows;
  readonly isTTY = false;
  readonly writable = true;
  bytes = 0;
  onWrite = () => {};

  write(data: string, callback?: () => void): boolean {
    this.bytes += Buffer.byteLength(data);
    if (data !== '') this.onWrite();
    callback?.();
    return true;
  }
}

function accountWith(count: number) {
  const messages = Array.from({length: count}, (_, at) => {
    const path = `/user_uploads/2/ab/picture-${at}.png`;
    return eg.message({
      id: at + 1,
      senderId: 11 + (at % 7),
      content: `Here is what the build says about change ${at}, with the numbers of the week:\n[picture-${at}.png](${path})`,
      timestamp: 1_767_225_600 + at * 60,
      facts: {isRendered: true, images: {[path]: {width: 640, height: 200 + 10 * (at % 9)}}},
    });
  });
  const ids = SortedSet.from(messages.map(({id}) => id));
  return eg.state({
    channels: eg.byId(eg.channel({id: 1, name: 'backend'})),
    users: eg.users(...[10, 11, 12, 13, 14, 15, 16, 17].map((id) => eg.user({id}))),
    messages: withMessages(initialState.messages, messages),
    timelines: SortedMap.from([
      [narrowKey(everythingNarrow), {...emptyTimeline(everythingNarrow), ids, hasOldest: true, hasNewest: true}],
    ]),
    connection: {phase: 'offline', since: 0, retryAt: undefined, problem: '', savedAt: undefined},
  });
}

/** A chart: a background, a few bars and an edge, as most screenshots have large areas of one colour. */
function picture(number: number, width: number, height: number) {
  return drawnPixels(width, height, (x, y) => {
    const bar = ((number * 7919 + Math.floor((x * 12) / width) * 31) % 10) / 10;
    if (y < 2 || x < 2) return [40, 44, 52];
    return 1 - y / height < bar ? [30 + ((number * 5) % 90), 90 + Math.floor((100 * x) / width), 160] : [248, 249, 250];
  });
}

/** Images that are ready at once, as many as the program keeps. */
function readyImages(protocol: Protocol): ImageDisplay {
  const target = {protocol, inTmux: false, cell, hasTrueColor: true};
  const images = new LruCache<string, EncodedImage>(210);
  const encoded = ({href, columns, rows}: ImageRequest): EncodedImage => {
    const number = Number(/\d+(?=\.png)/.exec(href)?.[0]);
    const {width, height} = pixelSizeFor({columns, rows}, target);
    return encodeImage(picture(number, width, height), {columns, rows}, target, number + 1);
  };
  const get = (request: ImageRequest) => {
    const key = `${request.href} ${request.columns}x${request.rows}`;
    return {kind: 'ready', image: images.getOrCompute(key, () => encoded(request))} as const;
  };
  return {protocol, cell, maxRows: 12, get};
}

/** Opens the screen on a conversation with images in a protocol, or without. */
async function openScreen(count: number, protocol: Protocol | 'off') {
  const connection = new Connection({site: 'http://127.0.0.1:9', userAgent: 'bench'});
  const {store} = openAccountStore({path: ':memory:', clock: systemClock, random: Math.random, log: () => {}});
  const parts = {clock: systemClock, random: Math.random, log: () => {}};
  const session = createSession({...parts, api: makeApi(connection), store, initial: accountWith(count)});
  const app = new App({
    session,
    features: appFeatures,
    screen: newScreen({columns, rows}, messagesView(everythingNarrow)),
    display: {
      theme: themes.default,
      depth: 'true',
      hasHyperlinks: true,
      bidi: 'off',
      glyphs: 'unicode',
      emoji: {},
      linkPreviews: true,
      zone: 'UTC',
      images: protocol === 'off' ? undefined : readyImages(protocol),
    },
    info: {accountName: 'bench', accountCount: 1, isExploring: false, isReadOnly: false},
    settings: {...defaultSettings, undoSendSeconds: 0, enterSends: true},
    device: {} as never, // Nothing here asks the terminal for anything.
    clock: systemClock,
    prepareScreen,
    composerPersistence: (app) => new ComposerSaver(app),
    isBlocked: () => false,
    whenDrained: (task) => task(),
  });
  const stdout = new Recorder();
  const write = (text: string) => void stdout.write(text);
  setFrameImages(protocol === 'off' ? undefined : drawnImages(protocol, {clock: systemClock, write}));
  const tree = createElement(AppContext, {value: app, children: createElement(Screen)});
  const ink = render(tree, {
    stdout: stdout as unknown as NodeJS.WriteStream,
    interactive: true,
    patchConsole: false,
    maxFps: 1000,
    incrementalRendering: true,
  });
  const key = async (motion: Parameters<typeof moveInMessages>[1]) => {
    const began = performance.now();
    const {promise, resolve} = Promise.withResolvers<number>();
    stdout.onWrite = () => resolve(performance.now() - began);
    moveInMessages(app, motion);
    app.frames.paintNow();
    const taken = await Promise.race([promise, pause(200, Number.NaN)]);
    stdout.onWrite = () => {};
    return taken;
  };
  const close = async () => {
    ink.unmount();
    app.end();
    store.close();
    await connection.close();
    setFrameImages(undefined);
  };
  return {stdout, key, close};
}

const rounds = 150;

async function costsOf(protocol: Protocol | 'off') {
  const {stdout, key, close} = await openScreen(200, protocol);
  // Encodes the images that are measured, and compiles the code that measures them.
  for (let round = 0; round < 200; round++) await key({by: 'item', step: -1});
  await key({to: 'last'});
  const measured: {name: string; p50: number; p99: number; bytes: number}[] = [];
  for (const [name, motion] of [
    ['message up', {by: 'item', step: -1}],
    ['line up', {by: 'line', step: -1}],
    ['line down', {by: 'line', step: 1}],
  ] as const) {
    const times: number[] = [];
    await pause(300);
    const before = stdout.bytes;
    for (let round = 0; round < rounds; round++) {
      const taken = await key(motion);
      if (!Number.isNaN(taken)) times.push(taken);
      await pause(5);
    }
    await pause(300);
    const {p50, p99} = summary(times);
    measured.push({name, p50, p99, bytes: Math.round((stdout.bytes - before) / rounds)});
  }
  await close();
  return measured;
}

const withoutImages = await costsOf('off');
const table: string[][] = withoutImages.map(({name, p50, p99, bytes}) => [
  `off, ${name}`,
  ms(p50),
  ms(p99),
  '',
  String(bytes),
]);
for (const protocol of ['half-blocks', 'kitty-placeholders', 'kitty', 'sixel'] as const) {
  const costs = await costsOf(protocol);
  costs.forEach(({name, p50, p99, bytes}, at) => {
    const ratio = p50 / (withoutImages[at]?.p50 ?? Number.NaN);
    table.push([`${protocol}, ${name}`, ms(p50), ms(p99), `${ratio.toFixed(2)}x`, String(bytes)]);
  });
}
printTable('Keys among 200 images, 120x40', ['protocol', 'p50', 'p99', 'to off', 'bytes'], table);

const memory: string[][] = [];
for (const protocol of ['off', 'half-blocks', 'kitty', 'sixel'] as const) {
  const {key, close} = await openScreen(500, protocol);
  await key({to: 'last'});
  for (let round = 0; round < 500; round++) await key({by: 'item', step: -1});
  globalThis.gc?.();
  const {heapUsed, external} = process.memoryUsage();
  memory.push([protocol, ((heapUsed + external) / 1024 / 1024).toFixed(1)]);
  await close();
}
printTable('Memory after 500 images (run with --expose-gc)', ['protocol', 'MiB'], memory);
