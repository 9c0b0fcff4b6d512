import {expect, test} from 'vitest';
import {selectRow} from '#app/message-pane/selection.ts';
import {focusedTextInput} from '#app/text-input.ts';
import {topicConversation} from '#state/model/conversation.ts';
import {combinedFeedNarrow, narrowIs, topicNarrow} from '#state/model/narrow.ts';
import type {OutboxStatus} from '#state/model/outbox.ts';
import {timelineFixture} from '#test/app/message-pane/timeline-fixture.ts';
import * as eg from '#test/support/state-builders.ts';
import {several} from '#test/ui/message-pane/timeline-frame.ts';
import {selectedOutboxEntry} from '#ui/message-pane/selected-message.ts';

type Parts = Parameters<typeof timelineFixture>[0];

/** The keys after which users type a text. */
const typingKeys = ['r', 'Enter', 'R', '@', '>', '<', 'c', 'x', ':', 'm', '/', 'q', 'w', 'Y', 'Ctrl-G'];
/** Most of its characters are also commands: marking read, views, muting, starring, sending again, deleting. */
const sentence = 'E aIMS!T+=ZUet';

const poll = [
  {
    id: 1,
    messageId: 1,
    senderId: 11,
    type: 'widget',
    content: '{"widget_type":"poll","extra_data":{"question":"?","options":["a"]}}',
  },
];
const unsent = (status: OutboxStatus, parts: Parts = {}): Case => ({...parts, messages: several(2), status});
const selected = (parts: Parts, key = 1): Parts => ({...parts, state: {selected: key, openAt: undefined}});
/** A view, and the status of the unsent message that is selected in it. */
type Case = Parts & {readonly status?: OutboxStatus};
const publicSearch = [{operator: 'search', operand: 'zebra'}] as const;

/** What may be selected when such a key is pressed, and whether there is a conversation to reply to. */
const selections: Readonly<Record<string, readonly [parts: Case, canReply: boolean]>> = {
  'a message of another user': [selected({messages: several(2)}), true],
  'an own message': [selected({messages: several(2, () => ({senderId: eg.selfId}))}), true],
  'a poll': [selected({messages: several(1, () => ({submessages: poll}))}), true],
  'a message that was evicted': [selected({messages: several(2)}, 99), true],
  'a queued message': [unsent('queued'), true],
  'a message being sent': [unsent('sending'), true],
  'a message sent without its event': [unsent('sent'), true],
  'an unconfirmed message': [unsent('unconfirmed'), true],
  'a failed message': [unsent('failed'), true],
  'a held message': [unsent('held'), true],
  'an unconfirmed message in the combined feed': [unsent('unconfirmed', {narrow: combinedFeedNarrow}), true],
  'nothing: messages are loading': [{timeline: {hasOldest: false, hasNewest: false}}, true],
  'nothing: newer messages are missing': [{messages: several(1), timeline: {hasNewest: false}}, true],
  'nothing: a topic without messages': [{narrow: topicNarrow(1, 'new')}, true],
  'nothing: an empty feed': [{narrow: combinedFeedNarrow}, false],
  'nothing: no starred messages': [{narrow: narrowIs('starred')}, false],
  'nothing: a search without results': [{narrow: publicSearch}, false],
};

function open({status, ...parts}: Case) {
  const fixture = timelineFixture(parts);
  const {session, app, show} = fixture;
  if (status === undefined) return fixture;
  const {id} = session.outbox.send({conversation: topicConversation(1, 'talk'), content: 'hello'});
  const {outbox} = session.context.store;
  outbox.update(id, ['queued'], {status});
  session.cache.apply({type: 'outbox_changed', outbox: outbox.all()});
  show();
  selectRow(app, id);
  show();
  expect(selectedOutboxEntry(app)).toMatchObject({status});
  return fixture;
}

/** Returns everything that a letter could change as a command. */
function changeable({app, deviceCalls}: ReturnType<typeof timelineFixture>) {
  const {outbox, starred, userTopics, unreads, localDrafts} = app.state;
  const {view, focus, overlays, timelines} = app.screen;
  return {outbox, starred, userTopics, unreads, localDrafts, view, focus, overlays, timelines, calls: [...deviceCalls]};
}

const cases = Object.entries(selections)
  .flatMap(([name, [parts]]) => typingKeys.map((key) => [key, name, parts] as const))
  // The screen says that Enter searches all public channels.
  .filter(([key, , {narrow}]) => key !== 'Enter' || narrow !== publicSearch);

test.each(cases)(
  'keys that start a text: %s on %s opens a text field, or it and the text after it do nothing',
  (key, _, parts) => {
    const fixture = open(parts);
    const {app, press, type} = fixture;
    const before = changeable(fixture);
    press(key);
    if (focusedTextInput(app) === undefined) {
      type(`${sentence}\n`);
      expect(changeable(fixture)).toEqual(before);
      expect(app.screen.toast?.text).toMatch(/ · what you typed next was ignored$/);
    } else {
      const {view} = app.screen;
      type(sentence);
      expect(changeable(fixture)).toMatchObject({outbox: before.outbox, starred: before.starred, view});
    }
  },
);

test.each(Object.entries(selections))(
  'edit: after E on %s, no letter of the text after it is a command',
  (_, [parts]) => {
    const fixture = open(parts);
    const {app, press, type} = fixture;
    press('E');
    const {starred, userTopics, unreads, view} = changeable(fixture);
    const isOpen = focusedTextInput(app) !== undefined || app.screen.overlays.length > 0;
    type(sentence);
    expect(changeable(fixture)).toMatchObject({starred, userTopics, unreads, view});
    if (!isOpen) expect(app.screen.toast?.text).toMatch(/ · what you typed next was ignored$/);
  },
);

test.each(Object.entries(selections).filter(([, [, canReply]]) => canReply))(
  'reply: r on %s opens the composer, and the text goes into it',
  (_, [parts]) => {
    const {app, press, type} = open(parts);
    press('r');
    type(sentence);
    expect(app.screen.focus).toBe('composer');
    expect(app.screen.composer).toMatchObject({target: {kind: 'topic', channelId: 1}, field: {text: sentence}});
  },
);
