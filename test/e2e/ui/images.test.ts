import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {encodePng} from '#terminal/images/pixels.ts';
import {drawnPixels} from '#test/support/images/terminal-images.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {openTides, quit, type TwoUserFixture, twoUserFixture, usualSize} from './two-user-fixture.ts';

/** The cells of an image: the terminal has cells of 10 by 20 pixels. */
const cells = 16 * 3;

/** Sends a message with an image of one colour. */
async function sendImage(chat: TwoUserFixture, name: string, color: readonly [number, number, number]): Promise<void> {
  const png = new Uint8Array(encodePng(drawnPixels(160, 60, () => color)));
  const {body} = await chat.server.as(chat.otto).upload('/user_uploads', name, png, 'image/png');
  await chat.sendToTopic(chat.otto, 'tides', `Look: [${name}](${Reflect.get(Object(body), 'url')})`);
}

test('images: shown below their message, gone under an overlay and back after it, on the whole screen with v, gone at the end', async () => {
  const chat = await twoUserFixture();
  await sendImage(chat, 'red.png', [220, 30, 30]);
  const home = scratchDirectory();
  const terminal = await openTides(chat, usualSize, {home});
  const blocks = () => terminal.screen().text.split('▀').length - 1;
  await terminal.waitUntil(() => blocks() === cells, 'the image');
  const at = terminal.find('▀');
  expect(terminal.screen().lines[(at?.y ?? 0) - 1]).toContain('Look: [image: red.png, 160×60]');
  expect(terminal.cell(at?.x ?? 0, at?.y ?? 0)).toMatchObject({fg: '#dc1e1e'});
  await sendImage(chat, 'blue.png', [30, 30, 220]);
  await terminal.waitUntil(() => blocks() === 2 * cells, 'both images');
  terminal.keys('?');
  await terminal.waitFor('Keys');
  await terminal.waitUntil(() => blocks() < 2 * cells, 'the overlay over an image');
  terminal.keys('Esc');
  await terminal.waitUntil(() => blocks() === 2 * cells, 'both images again');
  terminal.keys('G', 'v');
  await terminal.waitFor(/blue\.png, 160×60 · Otto Other · 2 of 2/);
  await terminal.waitUntil(() => blocks() > 10 * cells, 'the image in the viewer');
  terminal.keys('[');
  await terminal.waitFor(/red\.png.* · 1 of 2/);
  terminal.keys('Esc');
  await terminal.waitUntil(() => blocks() === 2 * cells, 'the messages');
  await quit(terminal);
  const picture = join(home, '.cache/parley/first-frame');
  if (existsSync(picture)) expect(readFileSync(picture, 'utf8')).not.toMatch(/[\u{100000}-\u{10ffff}]|▀/u);
});
