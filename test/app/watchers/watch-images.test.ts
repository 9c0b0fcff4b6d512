import {expect, test} from 'vitest';
import {openView} from '#app/navigation/navigation.ts';
import {watchImages} from '#app/watchers/watch-images.ts';
import {conversationNarrow} from '#state/model/narrow.ts';
import {triageFixture} from '#test/app/inbox/triage-fixture.ts';
import {fetched} from '#test/state/messages/messages-fixture.ts';
import * as eg from '#test/support/state-builders.ts';

test('images: those in the preview of the inbox are on the screen only while the inbox is', () => {
  const {app, press, at, session} = triageFixture({size: '200x50'});
  const path = '/user_uploads/1/tide.png';
  const facts = {isRendered: true, images: {[path]: {width: 80, height: 80}}};
  const message = eg.direct({id: 30, userIds: [11], senderId: 11, content: `[tide.png](${path})`, facts});
  const narrow = conversationNarrow({kind: 'direct', userIds: [11]});
  session.cache.apply(
    {type: 'timeline_opened', narrow},
    {type: 'fetch_started'},
    fetched([message], {narrow, foundOldest: true}),
  );
  app.setDisplay({
    images: {protocol: 'half-blocks', cell: {width: 8, height: 16}, maxRows: 4, get: () => ({kind: 'loading'})},
  });
  let visible: readonly string[] = [];
  app.imageLoader = {
    setTarget: () => {},
    setVisible: (requests) => {
      visible = requests.map(({href}) => href);
    },
    retry: () => {},
    terminalReset: () => {},
    removal: () => '',
  };
  watchImages(app);
  for (let moves = 0; moves < 30 && at() !== 'Carol Diaz'; moves++) press('j');
  expect([at(), visible]).toEqual(['Carol Diaz', [path]]);
  press('g', 'c');
  expect([app.screen.view.kind, visible]).toEqual(['channels', []]);
  press('I');
  expect([app.screen.view.kind, visible]).toEqual(['inbox', [path]]);
  openView(app, {kind: 'triage'});
  app.frames.paintNow();
  expect([at(), visible]).toEqual(['Carol Diaz', [path]]);
});
