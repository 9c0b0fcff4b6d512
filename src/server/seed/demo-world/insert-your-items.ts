import {createDrafts} from '#server/actions/personal/drafts.ts';
import {createSnippet} from '#server/actions/personal/snippets.ts';
import {createReminder} from '#server/actions/schedule/reminders.ts';
import {scheduleMessage} from '#server/actions/schedule/scheduled-messages.ts';
import type {ActionContext, RequestContext} from '#server/context.ts';
import {fold} from '#server/db/rows.ts';
import {visibilityPolicies} from '#wire/objects/user-topic.ts';
import {DemoDataError, type SourcePosition, withSourcePosition} from './demo-data-error.ts';
import type {DemoRows} from './demo-rows.ts';
import type {PlaceholderFiller} from './placeholders.ts';
import {parseFutureTime, parsePastTime} from './relative-times.ts';
import type {WorldFile} from './world-file.ts';

const at = (part: string, index: number | string): SourcePosition => ({
  file: 'world.json',
  place: `${part}.${index}`,
});

/** What decides how messages reach you; must be there before they do. */
export function insertYourFilters(act: ActionContext, world: WorldFile, cast: DemoRows): void {
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
export function insertYourItems(
  act: ActionContext,
  world: WorldFile,
  cast: DemoRows,
  texts: PlaceholderFiller,
): void {
  insertTopicPolicies(act, world, cast);
  const now = act.world.clock.now();
  const call: RequestContext = {...act, actor: cast.you, client: 'Parley'};
  insertDrafts(call, world, cast, texts, now);
  for (const [index, snippet] of world.snippets.entries()) {
    withSourcePosition(at('snippets', index), () => createSnippet(act, cast.you, snippet));
  }
  insertScheduledMessages(call, world, cast, texts, now);
  insertReminders(call, world, texts, now);
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

function insertTopicPolicies(act: ActionContext, {topics}: WorldFile, cast: DemoRows): void {
  for (const [index, {channel, topic, policy, no_messages}] of topics.entries()) {
    const source = at('topics', index);
    const {id} = cast.channel(channel, source);
    const exists = 'SELECT 1 FROM message WHERE channel_id = ? AND topic_key = ? LIMIT 1';
    if ((act.db.get(exists, id, fold(topic)) === undefined) !== no_messages) {
      throw new DemoDataError(source, `“${topic}” ${no_messages ? 'has' : 'has no'} messages`);
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

interface WorldFileDestination {
  readonly channel?: string | undefined;
  readonly topic?: string | undefined;
  readonly to?: readonly string[] | undefined;
}

function resolveDestination(
  {channel, topic = '', to}: WorldFileDestination,
  cast: DemoRows,
  source: SourcePosition,
) {
  if (channel !== undefined) return {type: 'stream' as const, to: [cast.channel(channel, source).id], topic};
  if (to === undefined) return {type: '' as const, to: [], topic: ''};
  return {type: 'private' as const, to: to.map((key) => cast.user(key, source).id), topic: ''};
}

function insertDrafts(
  call: RequestContext,
  {drafts}: WorldFile,
  cast: DemoRows,
  texts: PlaceholderFiller,
  now: number,
): void {
  // Oldest first, as they would have been written.
  const timed = drafts
    .map((draft, index) => {
      const source = at('drafts', index);
      return {draft, source, edited: withSourcePosition(source, () => parsePastTime(draft.edited, now))};
    })
    .sort((a, b) => a.edited - b.edited);
  for (const {draft, source, edited} of timed) {
    const content = texts.fill(draft.content, source);
    const input = {...resolveDestination(draft, cast, source), content, timestamp: Math.floor(edited / 1000)};
    withSourcePosition(source, () => createDrafts(call, call.actor, [input]));
  }
}

function insertScheduledMessages(
  call: RequestContext,
  {scheduled}: WorldFile,
  cast: DemoRows,
  texts: PlaceholderFiller,
  now: number,
): void {
  for (const [index, entry] of scheduled.entries()) {
    const source = at('scheduled', index);
    const {type, to, topic} = resolveDestination(entry, cast, source);
    if (type === '') throw new DemoDataError(source, 'a scheduled message goes somewhere');
    withSourcePosition(source, () =>
      scheduleMessage(call, {
        type,
        to,
        topic,
        content: texts.fill(entry.content, source),
        deliverAt: Math.floor(parseFutureTime(entry.at, now) / 1000),
        readBySender: true,
      }),
    );
  }
}

function insertReminders(
  call: RequestContext,
  {reminders}: WorldFile,
  texts: PlaceholderFiller,
  now: number,
): void {
  for (const [index, {message, note, at: time}] of reminders.entries()) {
    const source = at('reminders', index);
    const deliverAt = withSourcePosition(source, () => Math.floor(parseFutureTime(time, now) / 1000));
    const messageId = texts.labelledMessage(message, source).id;
    withSourcePosition(source, () => createReminder(call, {messageId, deliverAt, note}));
  }
}
