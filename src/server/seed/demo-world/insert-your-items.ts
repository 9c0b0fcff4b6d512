import {createDrafts} from '#server/actions/personal/drafts.ts';
import {createSnippet} from '#server/actions/personal/snippets.ts';
import {createReminder} from '#server/actions/schedule/reminders.ts';
import {scheduleMessage} from '#server/actions/schedule/scheduled-messages.ts';
import type {Act, Call} from '#server/context.ts';
import {fold} from '#server/db/rows.ts';
import {visibilityPolicies} from '#wire/objects/user-topic.ts';
import {DataError, locating, type Source} from './demo-data-error.ts';
import type {Cast} from './demo-rows.ts';
import type {Texts} from './placeholders.ts';
import {futureTime, pastTime} from './relative-times.ts';
import type {WorldFile} from './world-file.ts';

const at = (part: string, index: number | string): Source => ({
  file: 'world.json',
  place: `${part}.${index}`,
});

/** What decides how messages reach you; must be there before they do. */
export function plantYourFilters(act: Act, world: WorldFile, cast: Cast): void {
  const {you} = cast;
  for (const word of world.alert_words) {
    const sql = 'INSERT INTO alert_word (user_id, word_key, word) VALUES (?, ?, ?)';
    act.db.run(sql, you.id, fold(word), word);
  }
  for (const key of world.muted_users) {
    const sql = 'INSERT INTO muted_user (user_id, muted_id, muted_at) VALUES (?, ?, ?)';
    act.db.run(sql, you.id, cast.user(key, at('muted_users', key)).id, act.now);
  }
}

/** Your own things around the messages. */
export function plantYours(act: Act, world: WorldFile, cast: Cast, texts: Texts): void {
  plantTopics(act, world, cast);
  const now = act.world.clock.now();
  const call: Call = {...act, actor: cast.you, client: 'Parley'};
  plantDrafts(call, world, cast, texts, now);
  for (const [index, snippet] of world.snippets.entries()) {
    locating(at('snippets', index), () => createSnippet(act, cast.you, snippet));
  }
  plantScheduled(call, world, cast, texts, now);
  plantReminders(call, world, texts, now);
  for (const {fragment, is_pinned, name} of world.navigation_views) {
    act.db.run(
      'INSERT INTO navigation_view (user_id, fragment, is_pinned, name) VALUES (?, ?, ?, ?)',
      cast.you.id,
      fragment,
      is_pinned ? 1 : 0,
      name ?? null,
    );
  }
}

function plantTopics(act: Act, {topics}: WorldFile, cast: Cast): void {
  for (const [index, {channel, topic, policy, no_messages}] of topics.entries()) {
    const source = at('topics', index);
    const {id} = cast.channel(channel, source);
    const exists = 'SELECT 1 FROM message WHERE channel_id = ? AND topic_key = ? LIMIT 1';
    if ((act.db.get(exists, id, fold(topic)) === undefined) !== no_messages) {
      throw new DataError(source, `“${topic}” ${no_messages ? 'has' : 'has no'} messages`);
    }
    act.db.run(
      `INSERT INTO user_topic (user_id, channel_id, topic_key, topic_name, policy, updated_at)
       VALUES (?, ?, ?, ?, ?, ?)`,
      cast.you.id,
      id,
      fold(topic),
      topic,
      visibilityPolicies[policy],
      act.now,
    );
  }
}

interface Destination {
  readonly channel?: string | undefined;
  readonly topic?: string | undefined;
  readonly to?: readonly string[] | undefined;
}

function addressed({channel, topic = '', to}: Destination, cast: Cast, source: Source) {
  if (channel !== undefined) return {type: 'stream' as const, to: [cast.channel(channel, source).id], topic};
  if (to === undefined) return {type: '' as const, to: [], topic: ''};
  return {type: 'private' as const, to: to.map((key) => cast.user(key, source).id), topic: ''};
}

function plantDrafts(call: Call, {drafts}: WorldFile, cast: Cast, texts: Texts, now: number): void {
  // Oldest first, as they would have been written.
  const timed = drafts
    .map((draft, index) => {
      const source = at('drafts', index);
      return {draft, source, edited: locating(source, () => pastTime(draft.edited, now))};
    })
    .sort((a, b) => a.edited - b.edited);
  for (const {draft, source, edited} of timed) {
    const content = texts.filled(draft.content, source);
    const input = {...addressed(draft, cast, source), content, timestamp: Math.floor(edited / 1000)};
    locating(source, () => createDrafts(call, call.actor, [input]));
  }
}

function plantScheduled(call: Call, {scheduled}: WorldFile, cast: Cast, texts: Texts, now: number): void {
  for (const [index, entry] of scheduled.entries()) {
    const source = at('scheduled', index);
    const {type, to, topic} = addressed(entry, cast, source);
    if (type === '') throw new DataError(source, 'a scheduled message goes somewhere');
    locating(source, () =>
      scheduleMessage(call, {
        type,
        to,
        topic,
        content: texts.filled(entry.content, source),
        deliverAt: Math.floor(futureTime(entry.at, now) / 1000),
        readBySender: true,
      }),
    );
  }
}

function plantReminders(call: Call, {reminders}: WorldFile, texts: Texts, now: number): void {
  for (const [index, {message, note, at: time}] of reminders.entries()) {
    const source = at('reminders', index);
    const deliverAt = locating(source, () => Math.floor(futureTime(time, now) / 1000));
    const messageId = texts.labelled(message, source).id;
    locating(source, () => createReminder(call, {messageId, deliverAt, note}));
  }
}
