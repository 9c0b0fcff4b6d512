import type {RequestListener} from 'node:http';
import {expect, test} from 'vitest';
import {ImageStore} from '#app/images/image-store.ts';
import type {ImageTarget} from '#terminal/images/encode-image.ts';
import {httpServer} from '#test/api/client.ts';
import {appFixture} from '#test/support/app-fixture.ts';
import {pngFile} from '#test/support/images/image-files.ts';
import {drawnPixels, KittyTerminal, noise} from '#test/support/images/terminal-images.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import {state as newState} from '#test/support/state-builders.ts';
import {slowTest} from '#test/support/tier.ts';
import {unstartedSession} from '#test/support/unstarted-session.ts';
import type {ImageRequest, ImageState} from '#ui/core/frame.ts';

const halfBlocks: ImageTarget = {
  protocol: 'half-blocks',
  inTmux: false,
  cell: {width: 8, height: 16},
  hasTrueColor: true,
};
const placeholders: ImageTarget = {...halfBlocks, protocol: 'kitty-placeholders'};
const red = pngFile(drawnPixels(64, 64, () => [250, 10, 10]));
const formats = [{name: '300x200.webp', max_width: 300, max_height: 200, format: 'webp', animated: false}];
const upload = (name: string): ImageRequest => ({href: `/user_uploads/2/${name}.png`, columns: 8, rows: 4});

/** Long enough for a busy machine. */
const soon = {timeout: 20_000};

interface Options {
  readonly target?: ImageTarget;
  readonly thumbnails?: typeof formats;
  readonly mayUseOtherHosts?: () => boolean;
}

async function fixture(answer: RequestListener, {target = halfBlocks, thumbnails = [], ...options}: Options = {}) {
  const requests: string[] = [];
  const site = await httpServer((request, response) => {
    requests.push(`${request.headers.authorization === undefined ? 'open ' : ''}${request.url}`);
    answer(request, response);
  });
  const clock = new ManualClock();
  const base = newState();
  const state = {...base, server: {...base.server, serverThumbnailFormats: thumbnails}};
  const credentials = {email: 'a@example.com', apiKey: 'k'};
  const session = unstartedSession(state, clock, {site, credentials, ...options});
  const saved = new Map<string, Uint8Array>();
  const terminal = new KittyTerminal();
  const files = {
    get: async (key: string) => saved.get(key),
    set: async (key: string, file: Uint8Array) => void saved.set(key, file),
  };
  const write = (sequence: string) => terminal.write(sequence);
  const {app} = appFixture({session, clock});
  // Not the app's own, which is told what is on the screen.
  const store = new ImageStore(app, {files, write, session: 5});
  store.setTarget(target, 12);
  const stateOf = (request: ImageRequest) => app.display.images?.get(request) ?? {kind: 'loading'};
  /** Shows images, and returns the state of the first when it is known. */
  const load = async (...shown: ImageRequest[]): Promise<ImageState> => {
    store.setVisible(shown);
    await expect.poll(() => shown.map(stateOf).some(({kind}) => kind === 'loading'), soon).toBe(false);
    return stateOf(shown[0] ?? upload('none'));
  };
  return {app, store, terminal, saved, requests, clock, load, stateOf, session};
}

const sendRed: RequestListener = (_, response) => response.end(red);

test('an image on the screen is fetched with the credentials, and shown', async () => {
  const {load, requests, saved} = await fixture(sendRed);
  expect(await load(upload('a'))).toMatchObject({kind: 'ready', image: {columns: 8, rows: 4}});
  expect(requests).toEqual(['/user_uploads/2/a.png']);
  expect([...saved.keys()]).toEqual(['/user_uploads/2/a.png']);
});

test('nothing is fetched that is not on the screen', async () => {
  const {app, stateOf, load, requests} = await fixture(sendRed);
  expect(stateOf(upload('b'))).toEqual({kind: 'loading'});
  app.frames.paintNow();
  await load(upload('a'));
  expect(requests).toHaveLength(1);
});

test('an image that is ready changes the screen, and the display stays the same object', async () => {
  const {app, load} = await fixture(sendRed);
  const before = app.display;
  const {imageChanges} = app.screen;
  await load(upload('a'));
  expect(app.screen.imageChanges).toBe(imageChanges + 1);
  expect(app.display).toBe(before);
});

test('an image that was saved is not fetched again', async () => {
  const {load, requests, saved} = await fixture(sendRed);
  saved.set('/user_uploads/2/a.png', red);
  expect((await load(upload('a'))).kind).toBe('ready');
  expect(requests).toEqual([]);
});

test('a thumbnail is fetched first, and the image itself where there is none', async () => {
  const {load, requests} = await fixture(
    (request, response) => {
      if (request.url?.includes('/thumbnail/2/b.png')) response.writeHead(404).end();
      else response.end(red);
    },
    {thumbnails: formats},
  );
  expect((await load(upload('a'))).kind).toBe('ready');
  expect((await load(upload('b'))).kind).toBe('ready');
  expect(requests).toEqual([
    '/user_uploads/thumbnail/2/a.png/300x200.webp',
    '/user_uploads/thumbnail/2/b.png/300x200.webp',
    '/user_uploads/2/b.png',
  ]);
});

test('an address of another server is refused without a request', async () => {
  let isReached = false;
  const elsewhere = await httpServer((_, response) => {
    isReached = true;
    response.end(red);
  });
  const {load, requests} = await fixture(sendRed, {mayUseOtherHosts: () => true});
  const state = await load({href: `${elsewhere}/x.png`, columns: 8, rows: 4});
  expect(state).toEqual({
    kind: 'failed',
    reason: 'This file is on another server, to which Parley does not connect.',
  });
  expect([isReached, requests]).toEqual([false, []]);
});

test('an image that the server redirects is fetched from another host only where that is allowed, without the credentials', async () => {
  const seen: (string | undefined)[] = [];
  const elsewhere = await httpServer((request, response) => {
    seen.push(request.headers.authorization);
    response.end(red);
  });
  const redirect: RequestListener = (_, response) => response.writeHead(302, {location: `${elsewhere}/s3`}).end();
  const {load} = await fixture(redirect);
  expect(await load(upload('a'))).toMatchObject({kind: 'failed', reason: expect.stringContaining(elsewhere)});
  expect(seen).toEqual([]);
  const allowed = await fixture(redirect, {mayUseOtherHosts: () => true});
  expect((await allowed.load(upload('a'))).kind).toBe('ready');
  expect(seen).toEqual([undefined]);
});

test.each<[string, RequestListener, RegExp]>([
  ['403', (_, response) => response.writeHead(403).end('<html>'), /^You do not have access to this file\.$/],
  ['404', (_, response) => response.writeHead(404).end('<html>'), /does not have this file/],
  ['500', (_, response) => response.writeHead(500).end(), /\.$/],
  ['a page', (_, response) => response.end('<!DOCTYPE html>…'), /^The server sent a web page instead of an image\.$/],
  ['a text', (_, response) => response.end('hello'), /^This is not an image that can be shown/],
  ['nothing', (_, response) => response.end(), /^The file is empty\.$/],
  ['a closed connection', (_, response) => response.socket?.destroy(), /\.$/],
  [
    'fewer bytes than it says',
    (_, response) => {
      response.writeHead(200, {'content-length': '100000'});
      response.write(red, () => response.socket?.destroy());
    },
    /\.$/,
  ],
  [
    'more than 20 MiB by its header',
    (_, response) => response.writeHead(200, {'content-length': '999999999'}).end(),
    /larger than 20 MiB/,
  ],
  [
    'more than 20 MiB without saying so',
    (_, response) => {
      const chunk = Buffer.alloc(1024 * 1024);
      const more = () => {
        while (!response.destroyed && response.write(chunk));
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    },
    /larger than 20 MiB/,
  ],
])('a server that answers with %s gives a sentence', async (_, answer, reason) => {
  const {load, saved} = await fixture(answer);
  const state = await load(upload('a'));
  expect(state.kind === 'failed' && state.reason).toMatch(reason);
  expect(saved.size).toBe(0);
});

test('an image that never arrives gives a sentence, and is tried again when it is next on the screen', async () => {
  let isSilent = true;
  const {store, clock, stateOf, requests, load} = await fixture((_, response) => {
    if (isSilent) response.writeHead(200, {'content-length': '5000'}).write('x');
    else response.end(red);
  });
  store.setVisible([upload('a')]);
  await expect.poll(() => requests.length, soon).toBe(1);
  await expect
    .poll(() => {
      clock.advance(60_000);
      return stateOf(upload('a')).kind;
    }, soon)
    .toBe('failed');
  isSilent = false;
  store.setVisible([]);
  expect((await load(upload('a'))).kind).toBe('ready');
});

test('an image that leaves the screen before its bytes come is not loaded', async () => {
  let closed = 0;
  const {store, requests, load, saved} = await fixture((request, response) => {
    if (request.url?.includes('slow')) {
      response.writeHead(200).write('x');
      response.on('close', () => {
        closed += 1;
      });
    } else response.end(red);
  });
  store.setVisible([upload('slow1'), upload('slow2'), upload('slow3')]);
  await expect.poll(() => requests.length, soon).toBe(2);
  expect((await load(upload('a'))).kind).toBe('ready');
  await expect.poll(() => closed, soon).toBe(2);
  expect(requests).toEqual(['/user_uploads/2/slow1.png', '/user_uploads/2/slow2.png', '/user_uploads/2/a.png']);
  expect([...saved.keys()]).toEqual(['/user_uploads/2/a.png']);
});

test('an image that could not be loaded is loaded when the connection is back', async () => {
  let isBroken = true;
  const {load, stateOf, session} = await fixture((_, response) => {
    if (isBroken) response.socket?.destroy();
    else response.end(red);
  });
  expect((await load(upload('a'))).kind).toBe('failed');
  isBroken = false;
  session.cache.apply({type: 'connection_changed', connection: {phase: 'online'}});
  await expect.poll(() => stateOf(upload('a')).kind, soon).toBe('ready');
});

test('images that could not be loaded are loaded again on request', async () => {
  let status = 404;
  const {store, load} = await fixture((_, response) => response.writeHead(status).end(red));
  expect((await load(upload('a'))).kind).toBe('failed');
  status = 200;
  store.retry();
  expect((await load(upload('a'))).kind).toBe('ready');
});

const emoji = (name: string): ImageRequest => ({
  href: `/user_avatars/2/emoji/${name}.png`,
  columns: 2,
  rows: 1,
  isEmoji: true,
});

test('an emoji is loaded like an image', async () => {
  const {load, requests, terminal} = await fixture(sendRed, {target: placeholders});
  expect(await load(emoji('a'))).toMatchObject({kind: 'ready', image: {columns: 2, rows: 1}});
  expect(requests).toEqual(['/user_avatars/2/emoji/a.png']);
  expect(terminal.images.size).toBe(1);
});

test('an emoji that could not be loaded gets its name, also off the screen, until it is requested again', async () => {
  let status = 404;
  const {app, store, requests, load} = await fixture((_, response) => response.writeHead(status).end(red), {
    target: placeholders,
  });
  const hasFailed = () => app.display.images?.failedEmoji?.has(emoji('a').href);
  store.setVisible([emoji('a')]);
  await expect.poll(hasFailed, soon).toBe(true);
  status = 200;
  await load(emoji('c'));
  expect(hasFailed()).toBe(true);
  store.retry();
  expect(hasFailed()).toBe(false);
  expect((await load(emoji('a'))).kind).toBe('ready');
  expect(requests.filter((path) => path.endsWith('/a.png'))).toHaveLength(2);
});

test('an emoji of another server gets its name without a request', async () => {
  const {app, store, requests} = await fixture(sendRed, {target: placeholders});
  const href = 'https://elsewhere.example/emoji.png';
  store.setVisible([{...emoji('a'), href}]);
  await expect.poll(() => app.display.images?.failedEmoji?.has(href), soon).toBe(true);
  expect(requests).toEqual([]);
});

test('an emoji that does not arrive soon gets its name, and is loaded when the connection is back', async () => {
  let isSilent = true;
  const {app, store, clock, requests, session, load} = await fixture((_, response) => {
    if (isSilent) response.writeHead(200, {'content-length': '5000'}).write('x');
    else response.end(red);
  });
  const hasFailed = () => app.display.images?.failedEmoji?.has(emoji('a').href);
  store.setVisible([emoji('a')]);
  await expect.poll(() => requests.length, soon).toBe(1);
  await expect
    .poll(() => {
      clock.advance(5000);
      return hasFailed();
    }, soon)
    .toBe(true);
  isSilent = false;
  session.cache.apply({type: 'connection_changed', connection: {phase: 'online'}});
  await expect.poll(hasFailed, soon).toBe(false);
  expect((await load(emoji('a'))).kind).toBe('ready');
});

test('of more than 100 different emoji on one screen, the others have their names', async () => {
  const {app, load, store, terminal} = await fixture(sendRed, {target: placeholders});
  const all = Array.from({length: 130}, (_, at) => emoji(`e${at}`));
  store.setVisible(all);
  const failed = all.filter(({href}) => app.display.images?.failedEmoji?.has(href));
  expect(failed).toEqual(all.slice(100));
  await load(...all.slice(0, 100));
  expect(terminal.images.size).toBe(100);
  // The next screen needs more ids than are left beside those of this one.
  await load(...Array.from({length: 100}, (_, at) => emoji(`f${at}`)));
  expect(terminal.images.size).toBe(180);
});

test('the terminal gets an image once, before it is shown, and loses it when the target changes', async () => {
  const {store, terminal, load} = await fixture(sendRed, {target: placeholders});
  await load(upload('a'), upload('b'));
  expect(terminal.images.size).toBe(2);
  await load(upload('b'));
  expect(terminal.images.size).toBe(2);
  store.setTarget(halfBlocks, 12);
  expect(terminal.images.size).toBe(0);
});

test('after a reset of the terminal, the images on the screen are uploaded again', async () => {
  const {store, terminal, load, stateOf} = await fixture(sendRed, {target: placeholders});
  await load(upload('a'));
  await load(upload('b'));
  terminal.images.clear();
  store.terminalReset();
  expect(terminal.images.size).toBe(1);
  expect([stateOf(upload('a')).kind, stateOf(upload('b')).kind]).toEqual(['loading', 'ready']);
});

test('at the end, all images can be removed from the terminal', async () => {
  const {app, store, terminal, load} = await fixture(sendRed, {target: placeholders});
  await load(upload('a'), upload('b'));
  const left = new KittyTerminal();
  for (const [id, pixels] of terminal.images) left.images.set(id, pixels);
  left.write(store.removal());
  expect(left.images.size).toBe(0);
  app.end();
  expect(terminal.images.size).toBe(0);
});

slowTest('scrolling through 300 images keeps the memory of the terminal and of the program bounded', async () => {
  const {terminal, load} = await fixture(sendRed, {target: placeholders});
  for (let at = 0; at < 300; at += 10) {
    await load(...Array.from({length: 10}, (_, more) => upload(`i${at + more}`)));
    expect(terminal.images.size).toBeLessThanOrEqual(180);
  }
  expect(terminal.images.size).toBe(180);
});

slowTest('large images leave memory before there are 180 of them', async () => {
  const large = pngFile(noise(800, 400));
  const {terminal, load} = await fixture((_, response) => response.end(large), {target: placeholders});
  for (let at = 0; at < 20; at++) await load({...upload(`i${at}`), columns: 100, rows: 25});
  expect(terminal.images.size).toBeLessThan(18);
  expect(terminal.images.size).toBeGreaterThan(2);
});

test('without a target there is no display of images', async () => {
  const {app, store} = await fixture(sendRed);
  store.setTarget(undefined, 12);
  expect(app.display.images).toBeUndefined();
});
