import {expect, test} from 'vitest';
import {imagesIn} from '#app/watchers/watch-images.ts';
import {encodePng} from '#terminal/images/pixels.ts';
import {type MessageFixture, messageFixture, untilApp} from '#test/app/message-actions/message-fixture.ts';
import {testPicture} from '#test/support/images/terminal-images.ts';
import {mainTimelineNow} from '#ui/message-pane/selected-message.ts';
import {cardContent} from '#ui/overlays/card-content.ts';

/** Uploads a picture and returns the Markdown that shows it. */
async function upload({fixture}: MessageFixture, name: string, width: number, height: number): Promise<string> {
  const bytes = encodePng(testPicture(width, height));
  const {body} = await fixture.server
    .as(fixture.otto)
    .upload('/user_uploads', name, new Uint8Array(bytes), 'image/png');
  return `[${name}](${Reflect.get(Object(body), 'url')})`;
}

/** A conversation with three images in two messages, the first one selected. */
async function viewerFixture() {
  const parts = await messageFixture();
  const {fixture, app, select} = parts;
  const [one, two, three] = [
    await upload(parts, 'chart.png', 400, 200),
    await upload(parts, 'tall.png', 30, 900),
    await upload(parts, 'icon.png', 20, 20),
  ];
  const first = await fixture.postMessage(`look at ${one} and ${two}`);
  const second = await fixture.postMessage(`and ${three}`);
  await select(second);
  await select(first);
  const hasFacts = () =>
    [first, second].every((id) => app.state.messages.byId.get(id)?.facts?.images !== undefined) &&
    mainTimelineNow(app.frame)?.rows?.ids.has(second) === true;
  await untilApp(app, hasFacts);
  return parts;
}

const cell = {width: 10, height: 20};

test('image viewer: an image fills the screen, with its name, size, sender and place in one line', async () => {
  const {app, press, overlay} = await viewerFixture();
  app.setDisplay({images: {protocol: 'sixel', cell, maxRows: 12, get: () => ({kind: 'loading'})}});
  press('v');
  expect(overlay()?.split('\n')[0]).toMatch(/^─ chart\.png, 400×200 · Otto · 1 of 3 ─+$/);
  expect(cardContent(app.frame)?.layout.rect).toEqual({x: 0, y: 0, columns: 100, rows: 40});
  expect(imagesIn(cardContent(app.frame)?.lines ?? [])).toMatchObject([{columns: 40, rows: 10}]);
  expect(overlay()?.split('\n').at(-1)).toContain('[ ] previous, next · s saves · o opens outside · Esc closes');
  // Half blocks show few pixels, so they get more room than the image has in the messages.
  app.setDisplay({images: {protocol: 'half-blocks', cell, maxRows: 12, get: () => ({kind: 'loading'})}});
  expect(imagesIn(cardContent(app.frame)?.lines ?? [])).toMatchObject([{columns: 98, rows: 25}]);
  app.setDisplay({images: {protocol: 'sixel', cell, maxRows: 12, get: () => ({kind: 'loading'})}});
  press(']');
  expect(overlay()).toContain('tall.png, 30×900 · Otto · 2 of 3');
  // As high as the screen without the two lines of the border.
  expect(imagesIn(cardContent(app.frame)?.lines ?? [])).toMatchObject([{columns: 3, rows: 38}]);
  press('Right');
  expect(overlay()).toContain('3 of 3');
  press('j');
  expect(app.screen.toast?.text).toBe('This is the last loaded image');
  press('k', '[', 'Left');
  expect(app.screen.toast?.text).toBe('This is the first loaded image');
  press('Esc');
  expect(overlay()).toBeUndefined();
});

test('image viewer: s saves the image, o opens it outside of the terminal', async () => {
  const {press, says, deviceCalls, overlay} = await viewerFixture();
  press('v', ']', 's');
  await says('Saved ~/Downloads/tall.png');
  press('o');
  await says('Opened http');
  expect(deviceCalls.map(([name]) => name)).toEqual(['saveFile', 'open']);
  expect(overlay()).toContain('2 of 3');
});

test('image viewer: where no images are shown, it says so and what the keys do', async () => {
  const {press, overlay} = await viewerFixture();
  press('v');
  expect(overlay()).toContain('chart.png, 400×200 · Otto · 1 of 3');
  expect(overlay()).toContain('This terminal shows no images');
  expect(overlay()?.replaceAll(/\s+/g, ' ')).toContain('s saves the image, o opens it outside');
});

test('image viewer: in a message with other files, the list of files comes first', async () => {
  const parts = await messageFixture();
  const {fixture, select, press, overlay} = parts;
  const picture = await upload(parts, 'a.png', 20, 20);
  const {body} = await fixture.server
    .as(fixture.otto)
    .upload('/user_uploads', 'clip.mp4', new Uint8Array([1]), 'video/mp4');
  await select(await fixture.postMessage(`${picture} [clip.mp4](${Reflect.get(Object(body), 'url')})`));
  press('v');
  expect(overlay()).toMatch(/a\.png\s+image\s+1/);
  expect(overlay()).toMatch(/clip\.mp4\s+video\s+2/);
  press('1');
  expect(overlay()).toMatch(/a\.png.* · Otto · 1 of 1/);
});
