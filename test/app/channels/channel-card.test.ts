import {expect, test} from 'vitest';
import {openChannelCard} from '#app/channels/channel-card.ts';
import {messageStage, untilApp} from '#test/app/message-actions/stage.ts';
import {until} from '#test/state/session-stage.ts';

test('a channel tells what it is about and who is in it', async () => {
  const {stage, app, says} = await messageStage();
  openChannelCard(app, stage.channelId);
  const said = await says('Meg Member, Otto');
  expect(said).toMatch(/#general {2}public · you are in it/);
  expect(said).toMatch(/Subscribers +2/);
});

test('its switches are flipped by their keys and undone like everything', async () => {
  const {stage, app, session, press, says} = await messageStage();
  const own = () => session.cache.state.subscriptions.get(stage.channelId);
  openChannelCard(app, stage.channelId);
  press('p');
  expect(await says('#general: pinned to the top on')).toContain('[x] Pinned to the top');
  await until(session, () => own()?.pinToTop === true);
  press('d');
  await until(session, () => own()?.desktopNotifications === true);
  press('Esc', 'Z', 'Z');
  await until(session, () => own()?.pinToTop === false && own()?.desktopNotifications === false);
});

test('one leaves a channel and takes part in it again from its card', async () => {
  const {stage, app, session, press, says} = await messageStage();
  openChannelCard(app, stage.channelId);
  press('S');
  await says('Left #general');
  await untilApp(app, () => session.cache.state.subscriptions.get(stage.channelId)?.isSubscribed === false);
  expect(await says('you are not in it')).toContain('Subscribe to the channel');
  press('S');
  await until(session, ({subscriptions}) => subscriptions.get(stage.channelId)?.isSubscribed === true);
});
