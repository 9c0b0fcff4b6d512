import {describe, expect, test} from 'vitest';
import {applyRawEvents} from '#test/state/events/apply-raw-events.ts';
import * as eg from '#test/support/state-builders.ts';

test('drafts: added, changed and removed', () => {
  const draft = (id: number, content: string) => ({id, type: '', to: [], topic: '', content, timestamp: 5});
  const added = applyRawEvents(eg.state(), {
    type: 'drafts',
    op: 'add',
    drafts: [draft(1, 'a'), draft(2, 'b')],
  });
  const changed = applyRawEvents(added, {type: 'drafts', op: 'update', draft: draft(1, 'c')});
  expect([...changed.drafts.values()].map(({content}) => content)).toEqual(['c', 'b']);
  const after = applyRawEvents(
    changed,
    {type: 'drafts', op: 'remove', draft_id: 2},
    {type: 'drafts', op: 'remove', draft_id: 9},
  );
  expect([...after.drafts.keys()]).toEqual([1]);
});

test('snippets: added, changed and removed', () => {
  const saved_snippet = {id: 1, title: 't', content: 'c', date_created: 5};
  const added = applyRawEvents(eg.state(), {type: 'saved_snippets', op: 'add', saved_snippet});
  const event = {type: 'saved_snippets', op: 'update', saved_snippet: {...saved_snippet, title: 'u'}};
  expect(applyRawEvents(added, event).snippets.get(1)).toEqual({
    id: 1,
    title: 'u',
    content: 'c',
    dateCreated: 5,
  });
  expect(applyRawEvents(added, {type: 'saved_snippets', op: 'remove', saved_snippet_id: 1}).snippets.size).toBe(0);
});

test('scheduled messages: added, changed and removed', () => {
  const type = 'scheduled_messages';
  const one = {
    scheduled_message_id: 1,
    type: 'private',
    to: [12, 10, 11],
    content: 'later',
    rendered_content: '',
    scheduled_delivery_timestamp: 9,
  };
  const added = applyRawEvents(eg.state(), {type, op: 'add', scheduled_messages: [one]});
  expect(added.scheduled.get(1)).toEqual({
    id: 1,
    conversation: {kind: 'direct', userIds: [11, 12]},
    content: 'later',
    scheduledDeliveryTimestamp: 9,
    failed: false,
  });
  const toTopic = {...one, type: 'stream', to: 1, topic: 't', failed: true};
  const changed = applyRawEvents(added, {type, op: 'update', scheduled_message: toTopic});
  expect(changed.scheduled.get(1)).toMatchObject({
    conversation: {kind: 'topic', channelId: 1, topic: 't'},
    failed: true,
  });
  expect(applyRawEvents(changed, {type, op: 'remove', scheduled_message_id: 1}).scheduled.size).toBe(0);
});

test('reminders: added and removed', () => {
  const reminder = {
    reminder_id: 1,
    type: 'private',
    to: [10],
    content: 'c',
    rendered_content: '',
    scheduled_delivery_timestamp: 9,
    failed: false,
    reminder_target_message_id: 4,
  };
  const added = applyRawEvents(eg.state(), {type: 'reminders', op: 'add', reminders: [reminder]});
  expect(added.reminders.get(1)).toMatchObject({id: 1, reminderTargetMessageId: 4, note: ''});
  expect(applyRawEvents(added, {type: 'reminders', op: 'remove', reminder_id: 1}).reminders.size).toBe(0);
});

test('navigation views: added, changed and removed', () => {
  const type = 'navigation_view';
  const added = applyRawEvents(eg.state(), {
    type,
    op: 'add',
    navigation_view: {fragment: 'inbox', is_pinned: true},
  });
  expect(added.navigationViews.get('inbox')).toEqual({fragment: 'inbox', isPinned: true, name: null});
  const changed = applyRawEvents(added, {type, op: 'update', fragment: 'inbox', data: {is_pinned: false}});
  expect(changed.navigationViews.get('inbox')?.isPinned).toBe(false);
  expect(applyRawEvents(changed, {type, op: 'update', fragment: 'other', data: {is_pinned: false}})).toBe(changed);
  expect(applyRawEvents(changed, {type, op: 'remove', fragment: 'inbox'}).navigationViews.size).toBe(0);
});

describe('topics', () => {
  const topic = (topic_name: string, visibility_policy: number) => ({
    type: 'user_topic',
    stream_id: 1,
    topic_name,
    last_updated: 5,
    visibility_policy,
  });

  test('are followed, muted and reset, case-insensitively', () => {
    const muted = applyRawEvents(eg.state(), topic('Talk', 3), topic('talk', 1));
    expect([...muted.userTopics.values()]).toEqual([{channelId: 1, topic: 'Talk', policy: 1, lastUpdated: 5}]);
    expect(applyRawEvents(muted, topic('TALK', 0)).userTopics.size).toBe(0);
  });

  test('muted on an older server arrive as a whole list, by channel name', () => {
    const state = eg.state({channels: eg.byId(eg.channel({name: 'General'}))});
    const event = {
      type: 'muted_topics',
      muted_topics: [
        ['general', 'talk', 5],
        ['other', 'talk', 5],
      ],
    };
    const muted = applyRawEvents(state, event);
    expect([...muted.userTopics.values()]).toEqual([{channelId: 1, topic: 'talk', policy: 1, lastUpdated: 5}]);
    expect(applyRawEvents(muted, {type: 'muted_topics', muted_topics: []}).userTopics.size).toBe(0);
  });
});

test('alert words: replaced', () => {
  expect(applyRawEvents(eg.state(), {type: 'alert_words', alert_words: ['tide']}).alertWords).toEqual(['tide']);
});

describe('settings', () => {
  const set = (property: string, value: unknown) => ({type: 'user_settings', op: 'update', property, value});

  test('change one at a time', () => {
    expect(applyRawEvents(eg.state(), set('enter_sends', true)).settings.enterSends).toBe(true);
    expect(applyRawEvents(eg.state(), set('web_home_view', 'recent_topics')).settings.webHomeView).toBe('recent');
    expect(applyRawEvents(eg.state(), set('twenty_four_hour_time', null)).settings.twentyFourHourTime).toBeNull();
  });

  test('that are unknown, or have the wrong type, change nothing', () => {
    const state = eg.state();
    expect(applyRawEvents(state, set('sparkles', true), set('enter_sends', 'yes'), set('__proto__', {}))).toBe(state);
  });
});

test('attachments: added, changed and removed', () => {
  const attachment = {id: 1, name: 'a', path_id: 'p', size: 3, create_time: 5, message_ids: []};
  const added = applyRawEvents(eg.state(), {type: 'attachment', op: 'add', attachment, upload_space_used: 3});
  expect(added.attachments.get(1)).toEqual({
    id: 1,
    name: 'a',
    pathId: 'p',
    size: 3,
    createTime: 5,
    messageIds: [],
  });
  const older = {
    ...attachment,
    create_time: 1_767_225_600_123,
    message_ids: undefined,
    messages: [{id: 4, date_sent: 1}],
  };
  const changed = applyRawEvents(added, {type: 'attachment', op: 'update', attachment: older});
  expect(changed.attachments.get(1)).toMatchObject({createTime: 1_767_225_600, messageIds: [4]});
  expect(applyRawEvents(changed, {type: 'attachment', op: 'remove', attachment: {id: 1}}).attachments.size).toBe(0);
});

test('video tokens: added and removed for any provider', () => {
  const after = applyRawEvents(
    eg.state(),
    {type: 'has_zoom_token', value: true},
    {type: 'has_new_thing_token', value: false},
  );
  expect(after.videoTokens).toEqual({zoom: true, new_thing: false});
});
