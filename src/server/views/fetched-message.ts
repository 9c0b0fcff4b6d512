import {escapeHtml} from '#content/html-text.ts';
import type {ActionContext, ReadContext} from '#server/context.ts';
import type {MessageRow, UserRow} from '#server/db/rows.ts';
import {highlightHtml} from '#server/narrow/search-highlight.ts';
import type {TextSearch} from '#server/narrow/text-search.ts';
import {organization} from '#server/permissions/has-permission.ts';
import {isSpectator} from '#server/permissions/spectator.ts';
import type {FetchedMessage} from '#wire/objects/message.ts';
import {type MessageViewOptions, messageFlagNames, messageViews} from './message.ts';

/** Returns messages with the viewer's flags and, for a search, with the matches highlighted. */
export function fetchedMessageViews(
  act: ReadContext,
  viewer: UserRow,
  rows: readonly MessageRow[],
  searches: readonly TextSearch[],
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
  searches: readonly TextSearch[],
  {emptyTopicName}: Pick<MessageViewOptions, 'emptyTopicName'> = {emptyTopicName: true},
): Map<number, MatchFields> {
  const emptyTopic = emptyTopicName ? '' : escapeHtml(organization(act).empty_topic_display_name);
  return new Map(
    rows.map((row) => {
      const topic = highlightHtml(escapeHtml(row.topic), searches);
      const match_content = highlightHtml(act.server.renderer.messageHtml(row), searches);
      return [row.id, {match_content, match_subject: topic === '' && row.channel_id !== null ? emptyTopic : topic}];
    }),
  );
}
