import {expect, test} from 'vitest';
import {timelineOf} from '#state/selectors/timeline.ts';
import {type MessageFixtureOptions, messageFixture, untilApp} from '#test/app/message-actions/message-fixture.ts';
import {waitForState} from '#test/state/session-fixture.ts';
import {textOf} from '#test/support/frame-fixture.ts';
import {listPane} from '#test/support/part-lines.ts';
import {catchUpList, catchUpNarrow} from '#ui/catch-up/catch-up-list.ts';
import {screenLayout} from '#ui/screen-layout.ts';

async function catchUpFixture(options: MessageFixtureOptions = {}) {
  const parts = await messageFixture(options);
  const {app, fixture, press, session} = parts;
  const {server, otto, meg} = fixture;
  await fixture.postMessage('one', 'chatter');
  await fixture.postMessage('two', 'chatter');
  await fixture.postMessage(`@**${meg.fullName}** can you look?`, 'disk');
  await server.as(otto).post('/messages', {type: 'private', to: [meg.id], content: 'Lunch?'});
  await waitForState(session, ({unreads}) => unreads.byId.size === 4);
  const open = async () => {
    press('g', 'k');
    await untilApp(app, () => {
      const {view} = app.screen;
      return view.kind === 'catchUp' && timelineOf(app.state, catchUpNarrow(view.since))?.hasOldest === true;
    });
  };
  const text = () => textOf(listPane(catchUpList)(app.frame, screenLayout(app.frame).main)).join('\n');
  const unread = () => session.cache.state.unreads.byId.size;
  return {...parts, open, text, unread};
}

test('catch up: cards say why they are there and what was said; looking at them marks nothing as read', async () => {
  const {open, text, press, unread, app, fixture} = await catchUpFixture();
  await open();
  const lines = text()
    .split('\n')
    .map((line) => line.trim());
  expect(lines[0]).toMatch(/^Unread since .* {2}3 conversations$/);
  expect(lines.filter((line) => /#general|Otto$|asks|mentions|: /.test(line))).toEqual([
    '▌    @1 #general › disk                        mentions you, asks you  now',
    'Otto: @Meg Member can you look?',
    '1 Otto                                                 asks you  now',
    'Otto: Lunch?',
    '2 #general › chatter                                 2 messages  now',
    'Otto: one',
    'Otto: two',
  ]);
  press('Down', 'Down', 'Up');
  await fixture.postMessage('three', 'later');
  await untilApp(app, () => unread() === 5);
  expect(text()).not.toContain('later');
});

test('catch up: e marks the conversation read and goes to the next card, and z brings it back', async () => {
  const {open, text, press, unread, app} = await catchUpFixture();
  await open();
  press('e');
  await untilApp(app, () => unread() === 3);
  expect(text()).not.toContain('disk');
  press('e');
  await untilApp(app, () => unread() === 2);
  press('z', 'z');
  await untilApp(app, () => unread() === 4);
  expect(text()).toContain('disk');
  press('Enter');
  expect(app.screen.view.kind).toBe('messages');
});
