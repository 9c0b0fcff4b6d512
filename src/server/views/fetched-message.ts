import {escapeHtml} from '#content/html-text.ts';
import type {ActionContext, ReadContext} from '#server/context.ts';
import type {MessageRow, UserRow} from '#server/db/rows.ts';
import {findSearchHits, highlightHtml} from '#server/narrow/search-highlight.ts';
import {organization} from '#server/permissions/has-permission.ts';
import {isSpectator} from '#server/permissions/spectator.ts';
import type {FetchedMessage} from '#wire/objects/message.ts';
import {type MessageViewOptions, messageFlagNames, messageViews} from './message.ts';

/** Returns messages with the viewer's flags and, for a search, with the matches highlighted. */
export function fetchedMessageViews(
  act: ReadContext,
  viewer: UserRow,
  rows: readonly MessageRow[],
  searches: readonly string[],
  options: MessageViewOptions,
): FetchedMessage[] {
  const flags = isSpectator(viewer) ? undefined : messageFlagNames(act, viewer.id, rows);
  const matches = searches.length === 0 ? undefined : matchFields(act, rows, searches, options);
  return messageViews(act, viewer, rows, options).map((view) => ({
    ...view,
    flags: flags === undefined ? ['read'] : (flags.get(view.id) ?? []),
    ...matches?.get(view.id),
  }));
}

interface MatchFields {
  match_content: string;
  match_subject: string;
}

/** Returns content and topic of each message as HTML with the search matches highlighted. */
export function matchFields(
  act: Pick<ActionContext, 'server'>,
  rows: readonly MessageRow[],
  searches: readonly string[],
  {emptyTopicName}: Pick<MessageViewOptions, 'emptyTopicName'> = {emptyTopicName: true},
): Map<number, MatchFields> {
  const {db, renderer} = act.server;
  const hits = findSearchHits(db, searches, rows);
  const emptyTopic = emptyTopicName ? '' : escapeHtml(organization(act).empty_topic_display_name);
  return new Map(
    rows.map((row) => {
      const hit = hits.get(row.id);
      const topic = hit?.topic ?? escapeHtml(row.topic);
      const match_content = highlightHtml(renderer.messageHtml(row), hit?.content ?? []);
      return [row.id, {match_content, match_subject: topic === '' && row.channel_id !== null ? emptyTopic : topic}];
    }),
  );
}
