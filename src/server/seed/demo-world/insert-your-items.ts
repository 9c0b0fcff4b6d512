import {createDrafts} from '#server/actions/personal/drafts.ts';
import {createSnippet} from '#server/actions/personal/personal-items.ts';
import {createReminder} from '#server/actions/schedule/reminders.ts';
import {scheduleMessage} from '#server/actions/schedule/scheduled-messages.ts';
import type {ActionContext, RequestContext} from '#server/context.ts';
import {fold} from '#server/db/rows.ts';
import {visibilityPolicies} from '#wire/objects/user-topic.ts';
import type {DemoRows} from './demo-data.ts';
import {type PlaceholderFiller, parseFutureTime, parsePastTime} from './placeholders.ts';
import {DemoDataError, type SourcePosition, type WorldFile, withSourcePosition, worldPosition} from './world-file.ts';

/** Inserts the alert words and muted users of `you`; must run before the messages are inserted. */
export function insertAlertWordsAndMutedUsers(act: ActionContext, world: WorldFile, rows: DemoRows): void {
  const {you} = rows;
  for (const word of world.alert_words) {
    act.db.insertRow('alert_word', {user_id: you.id, word_key: fold(word), word});
  }
  for (const key of world.muted_users) {
    act.db.insertRow('muted_user', {
      user_id: you.id,
      muted_id: rows.user(key, worldPosition(`muted_users.${key}`)).id,
      muted_at: act.now,
    });
  }
}

/** Inserts the topic policies, drafts, snippets, scheduled messages, reminders and navigation views of `you`. */
export function insertYourItems(act: ActionContext, world: WorldFile, rows: DemoRows, filler: PlaceholderFiller): void {
  insertTopicPolicies(act, world, rows);
  const request: RequestContext = {...act, actor: rows.you, client: 'Parley'};
  const demo: DemoContext = {request, world, rows, filler, now: act.server.clock.now()};
  insertDrafts(demo);
  for (const [index, snippet] of world.snippets.entries()) {
    withSourcePosition(worldPosition(`snippets.${index}`), () => createSnippet(request, snippet));
  }
  insertScheduledMessages(demo);
  insertReminders(demo);
  for (const {fragment, is_pinned, name} of world.navigation_views) {
    act.db.insertRow('navigation_view', {
      user_id: rows.you.id,
      fragment,
      is_pinned: is_pinned ? 1 : 0,
      name: name ?? null,
    });
  }
}

function insertTopicPolicies(act: ActionContext, {topics}: WorldFile, rows: DemoRows): void {
  for (const [index, {channel, topic, policy, no_messages}] of topics.entries()) {
    const source = worldPosition(`topics.${index}`);
    const {id} = rows.channel(channel, source);
    const exists = 'SELECT 1 FROM message WHERE channel_id = ? AND topic_key = ? LIMIT 1';
    if ((act.db.get(exists, id, fold(topic)) === undefined) !== no_messages) {
      throw new DemoDataError(source, `“${topic}” ${no_messages ? 'has' : 'has no'} messages`);
    }
    act.db.insertRow('user_topic', {
      user_id: rows.you.id,
      channel_id: id,
      topic_key: fold(topic),
      topic_name: topic,
      policy: visibilityPolicies[policy],
      updated_at: act.now,
    });
  }
}

interface WorldFileDestination {
  readonly channel?: string | undefined;
  readonly topic?: string | undefined;
  readonly to?: readonly string[] | undefined;
}

function resolveDestination({channel, topic = '', to}: WorldFileDestination, rows: DemoRows, source: SourcePosition) {
  if (channel !== undefined) return {type: 'stream' as const, to: [rows.channel(channel, source).id], topic};
  if (to === undefined) return {type: '' as const, to: [], topic: ''};
  return {type: 'private' as const, to: to.map((key) => rows.user(key, source).id), topic: ''};
}

interface DemoContext {
  readonly request: RequestContext;
  readonly world: WorldFile;
  readonly rows: DemoRows;
  readonly filler: PlaceholderFiller;
  readonly now: number;
}

function insertDrafts({request, world, rows, filler, now}: DemoContext): void {
  // Oldest first, so that ids ascend with time.
  const timed = world.drafts
    .map((draft, index) => {
      const source = worldPosition(`drafts.${index}`);
      return {draft, source, edited: withSourcePosition(source, () => parsePastTime(draft.edited, now))};
    })
    .sort((a, b) => a.edited - b.edited);
  for (const {draft, source, edited} of timed) {
    const content = filler.fill(draft.content, source);
    const input = {...resolveDestination(draft, rows, source), content, timestamp: Math.floor(edited / 1000)};
    withSourcePosition(source, () => createDrafts(request, [input]));
  }
}

function insertScheduledMessages({request, world, rows, filler, now}: DemoContext): void {
  for (const [index, entry] of world.scheduled.entries()) {
    const source = worldPosition(`scheduled.${index}`);
    const {type, to, topic} = resolveDestination(entry, rows, source);
    if (type === '') throw new DemoDataError(source, 'a scheduled message needs a channel or people');
    withSourcePosition(source, () =>
      scheduleMessage(request, {
        type,
        to: type === 'stream' ? Number(to[0]) : to,
        topic,
        content: filler.fill(entry.content, source),
        scheduled_delivery_timestamp: Math.floor(parseFutureTime(entry.at, now) / 1000),
        read_by_sender: true,
      }),
    );
  }
}

function insertReminders({request, world, filler, now}: DemoContext): void {
  for (const [index, {message, note, at: time}] of world.reminders.entries()) {
    const source = worldPosition(`reminders.${index}`);
    const scheduled_delivery_timestamp = withSourcePosition(source, () =>
      Math.floor(parseFutureTime(time, now) / 1000),
    );
    const message_id = filler.labelledMessage(message, source).id;
    withSourcePosition(source, () => createReminder(request, {message_id, scheduled_delivery_timestamp, note}));
  }
}
