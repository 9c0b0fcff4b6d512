import {expect, test} from 'vitest';
import {ImageStore} from '#app/images/image-store.ts';
import {imagesIn} from '#app/watchers/watch-images.ts';
import {systemClock} from '#std/clock.ts';
import {ImageCache} from '#storage/image-cache.ts';
import {messageFixture, untilApp} from '#test/app/message-actions/message-fixture.ts';
import {pngFile} from '#test/support/images/image-files.ts';
import {pixelsOfHalfBlocks, testPicture} from '#test/support/images/terminal-images.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import type {ImageState} from '#ui/core/frame.ts';
import {mainTimelineNow} from '#ui/message-pane/selected-message.ts';
import {cardContent} from '#ui/overlays/card-content.ts';

const cell = {width: 8, height: 16};

test('an uploaded image of a message is loaded from the server and shown in its rows', async () => {
  const {app, fixture, select} = await messageFixture();
  const file = new Uint8Array(pngFile(testPicture(96, 96)));
  const {body} = await fixture.server.as(fixture.otto).upload('/user_uploads', 'chart.png', file, 'image/png');
  const files = new ImageCache(scratchDirectory(), () => 1e6, systemClock);
  app.imageLoader = new ImageStore(app, {files, write: () => {}, session: 1});
  app.imageLoader.setTarget({protocol: 'half-blocks', inTmux: false, cell, hasTrueColor: true}, 12);
  const id = await fixture.postMessage(`[chart](${Reflect.get(Object(body), 'url')})`);
  await select(id);
  const states = (): readonly ImageState[] => {
    const requests = imagesIn(mainTimelineNow(app.frame)?.lines ?? []);
    return requests.flatMap((request) => app.display.images?.get(request) ?? []);
  };
  await untilApp(app, () => states()[0]?.kind === 'ready');
  const [state] = states();
  if (state?.kind !== 'ready') throw new Error('It is not ready.');
  expect(state.image).toMatchObject({columns: 12, rows: 6});
  const {rgba} = pixelsOfHalfBlocks(state.image.drawnRows);
  expect([rgba[0], rgba[1], rgba[3]]).toEqual([255, 255, 255]);
});

test('image viewer: an image of another site is loaded through the server’s proxy', async () => {
  const {app, fixture, select, press} = await messageFixture();
  const content = '[plan](https://a.example/1.png)';
  const id = await fixture.postMessage(content);
  await select(id);
  app.setDisplay({images: {protocol: 'half-blocks', cell, maxRows: 12, get: () => ({kind: 'loading'})}});
  const proxies = {'https://a.example/1.png': '/external_content/56c362/68747470'};
  app.session.cache.apply({type: 'message_facts_found', found: [{id, content, facts: {isRendered: true, proxies}}]});
  press('v');
  expect(imagesIn(cardContent(app.frame)?.lines ?? [])).toMatchObject([{href: '/external_content/56c362/68747470'}]);
});
