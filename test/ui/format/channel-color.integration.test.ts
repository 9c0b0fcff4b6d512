import {expect, test} from 'vitest';
import {topicConversation} from '#state/model/conversation.ts';
import {messageFixture} from '#test/app/message-actions/message-fixture.ts';
import {waitForState} from '#test/state/session-fixture.ts';
import {egRect} from '#test/support/frame-fixture.ts';
import {headerLines, listPane, overlayLines} from '#test/support/part-lines.ts';
import {channelList} from '#ui/channel-list/channel-list.ts';
import {destinationLines, shownDestination} from '#ui/composer/destination-lines.ts';
import type {PaneLine} from '#ui/core/frame.ts';
import {recipientLine} from '#ui/message-pane/lines/edge-lines.ts';
import {typesetOf} from '#ui/message-pane/lines/typeset.ts';

function tinted(lines: readonly PaneLine[]): readonly string[] {
  return lines.flatMap(({spans}) => spans.flatMap(({text, tint}) => (tint === undefined ? [] : [`${text} ${tint}`])));
}

test('channel colour: list, header, recipient bar, composer and pickers show it, and follow a change', async () => {
  const {fixture, session, app, select, press} = await messageFixture();
  const {server, meg, channelId} = fixture;
  await select(await fixture.postMessage('hello', 'lunch'));
  const setColor = async (color: string) => {
    await server.as(meg).patch(`/users/me/subscriptions/${channelId}`, {property: 'color', value: color});
    await waitForState(session, ({subscriptions}) => subscriptions.get(channelId)?.color === color);
  };
  const shown = () => ({
    list: tinted(listPane(channelList)(app.frame, egRect('40x30'))),
    header: tinted(headerLines(app.frame, egRect('100x1'))),
    bar: tinted([recipientLine(typesetOf(app.frame, 80), app.state, topicConversation(channelId, 'lunch'))]),
  });
  for (const color of ['#76ce90', '#4f8de4']) {
    await setColor(color);
    expect(shown()).toEqual({list: [`#general ${color}`], header: [`#general ${color}`], bar: [`#general ${color}`]});
  }
  press('r');
  expect(tinted(destinationLines(shownDestination(app.frame, 80), 80))).toEqual(['#general #4f8de4']);
  press('Ctrl-G', '#', 'g');
  const picker = tinted(overlayLines(app.frame));
  expect(picker).toEqual(['# #4f8de4', 'g #4f8de4', 'eneral #4f8de4']);
});

test('channel colour: a muted channel and one that is left have none in the list', async () => {
  const {fixture, session, app} = await messageFixture();
  const {server, meg, channelId} = fixture;
  await server.as(meg).patch(`/users/me/subscriptions/${channelId}`, {property: 'is_muted', value: true});
  await waitForState(session, ({subscriptions}) => subscriptions.get(channelId)?.isMuted === true);
  expect(tinted(listPane(channelList)(app.frame, egRect('40x30')))).toEqual([]);
});
