import {expect, test} from 'vitest';
import {openChannelCard} from '#app/channels/channel-card.ts';
import {messageFixture, untilApp} from '#test/app/message-actions/message-fixture.ts';
import {waitForState} from '#test/state/session-fixture.ts';
import {egFrame, textOf} from '#test/support/frame-fixture.ts';
import * as eg from '#test/support/state-builders.ts';
import {listText} from '#test/ui/lists/list-fixture.ts';
import {channelBrowser} from '#ui/channel-browser/channel-browser.ts';
import {channelCardLines} from '#ui/channels/channel-card-lines.ts';
import {channelDetail} from '#ui/search/find-channels-and-topics.ts';

test('channel card: shows the channel’s state and its subscribers', async () => {
  const {fixture, app, says} = await messageFixture();
  openChannelCard(app, fixture.channelId);
  const text = await says('Meg Member, Otto');
  expect(text).toMatch(/#general {2}public · subscribed/);
  expect(text).toMatch(/Subscribers +2/);
});

test('channel card: mentions in the description show names, not markup', () => {
  const groups = eg.byId(eg.group({id: 5, name: 'on-call'}));
  const channel = eg.channel({
    id: 1,
    name: 'ops',
    description: 'Ask @_*on-call* or see #**ops**.\n**Calm**.',
  });
  const frame = egFrame({account: eg.state({groups, channels: eg.byId(channel)})});
  const text = textOf(channelCardLines(frame, 60, 1));
  expect(text).toContain('Ask on-call or see #ops.');
  expect(text).toContain('Calm.');
  const list = egFrame({account: frame.account, view: {kind: 'channels'}, size: '120x40'});
  expect(listText(list, channelBrowser).join('\n')).toContain('Ask on-call or see #ops. Calm.');
  expect(channelDetail(frame.account, channel)).toBe('not subscribed · Ask on-call or see #ops.');
});

test('channel card: its keys toggle the settings, and undo restores them', async () => {
  const {fixture, app, session, press, says} = await messageFixture();
  const own = () => session.cache.state.subscriptions.get(fixture.channelId);
  openChannelCard(app, fixture.channelId);
  press('p');
  expect(await says('#general: pinned to the top on')).toContain('[x] Pinned to the top');
  await waitForState(session, () => own()?.pinToTop === true);
  press('d');
  await waitForState(session, () => own()?.desktopNotifications === true);
  press('Esc', 'z', 'z');
  await waitForState(session, () => own()?.pinToTop === false && own()?.desktopNotifications === false);
});

test('channel card: S unsubscribes and subscribes again', async () => {
  const {fixture, app, session, press, says} = await messageFixture();
  openChannelCard(app, fixture.channelId);
  press('S');
  await says('Unsubscribed from #general');
  await untilApp(app, () => session.cache.state.subscriptions.get(fixture.channelId)?.isSubscribed === false);
  expect(await says('not subscribed')).toContain('S subscribe');
  press('S');
  await waitForState(session, ({subscriptions}) => subscriptions.get(fixture.channelId)?.isSubscribed === true);
});
