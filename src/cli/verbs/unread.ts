import {askRunning} from '#cli/control/ask-running.ts';
import {type CliIo, outputColumns} from '#cli/io.ts';
import {type OutputStyle, outputStyle, plainStyle} from '#cli/messages/message-text.ts';
import type {InboxOverview, UnreadOverview} from '#cli/messages/unread-overview.ts';
import {textColumns} from '#content/styled-text/text-width.ts';
import {truncateToColumns} from '#content/styled-text/truncate-to-columns.ts';
import type {InboxGroupId} from '#state/selectors/inbox/inbox.ts';
import {composed} from '#std/composed-text.ts';
import {printableLine} from '#std/printable.ts';
import {countedNoun, unreadCountText} from '#wording/counted-noun.ts';
import type {VerbRunner} from './verb-table.ts';

export const unread: VerbRunner<'unread'> = async ({values}, io, signal) => {
  const fetched = async () => {
    const {fetchUnreadOverview} = await import('./inbox.ts');
    return fetchUnreadOverview(values, io, signal);
  };
  const running = (await askRunning(values, io, 'unread.get')) as UnreadOverview | undefined;
  const {json, rows} = running ?? (await fetched());
  const shown = rows.filter(({isMuted}) => values.muted || !isMuted);
  const unmuted = rows.filter(({isMuted}) => !isMuted).length;
  return {
    json,
    text: [totalLine(json, unmuted), ...inboxRowLines(shown, outputStyle(io, values.color))].join('\n'),
    isStyled: true,
    notice: missingNotice(json.isComplete),
  };
};

/** Returns the notice for a server that reports only some of the unread messages. */
export function missingNotice(isComplete: boolean, more = 'There are more.'): string | undefined {
  return isComplete ? undefined : `The server reports only the newest unread messages. ${more}`;
}

function totalLine({total, directs, mentions, muted}: UnreadOverview['json'], conversations: number): string {
  if (total === 0) return muted === 0 ? 'No unread messages.' : `No unread messages except ${muted} muted.`;
  const details = [
    ...(directs > 0 ? [`${directs} in direct messages`] : []),
    ...(mentions > 0 ? [`${mentions} mentioning you`] : []),
    ...(muted > 0 ? [`${muted} more muted`] : []),
  ];
  const counted = `${countedNoun(total, 'unread message')} in ${countedNoun(conversations, 'conversation')}`;
  return `${counted}${details.length === 0 ? '' : `: ${details.join(', ')}`}`;
}

function inboxRowLines(
  rows: readonly Pick<UnreadOverview['rows'][number], 'title' | 'count' | 'mentions'>[],
  {name}: Pick<OutputStyle, 'name'>,
): string[] {
  const counts = rows.map(unreadCountText);
  const width = Math.max(3, ...counts.map(({length}) => length));
  return rows.map(({title, mentions}, at) => {
    const text = printableLine(title);
    return composed`${(counts[at] ?? '').padStart(width)}  ${mentions > 0 ? name(text) : text}`;
  });
}

const headings: Readonly<Record<InboxGroupId, string>> = {
  mentions: 'Mentions',
  direct: 'Direct messages',
  followed: 'Followed topics',
  pinned: 'Pinned channels',
  channels: 'Channels',
  muted: 'Muted',
};

export const inbox: VerbRunner<'inbox'> = async ({values}, io, signal) => {
  const fetched = async () => {
    const {fetchInboxOverview} = await import('./inbox.ts');
    return fetchInboxOverview(values, io, signal);
  };
  const running = (await askRunning(values, io, 'inbox.get')) as InboxOverview | undefined;
  const {json, groups, isComplete} = running ?? (await fetched());
  const lines = groups.flatMap((group) => groupLines(io, group, outputStyle(io, values.color)));
  return {
    json,
    text: groups.length === 0 ? 'No unread messages.' : lines.join('\n'),
    isStyled: true,
    notice: missingNotice(isComplete),
  };
};

function groupLines(io: CliIo, {id, rows, messageCount}: InboxOverview['groups'][number], style: OutputStyle) {
  const counts = `${countedNoun(rows.length, 'conversation')}, ${countedNoun(messageCount, 'message')}`;
  const lines = inboxRowLines(rows, style);
  const plainLines = inboxRowLines(rows, plainStyle);
  const rowLines = rows.map(({preview}, at) => {
    // As much of it as fits on the line.
    const room = outputColumns(io) - textColumns(plainLines[at] ?? '') - 2;
    const shown = room < 10 ? '' : truncateToColumns(printableLine(preview), room);
    return composed`${lines[at]}${shown === '' ? '' : composed`  ${style.faint(shown)}`}`;
  });
  return [style.heading(`${headings[id]} (${counts})`), ...rowLines];
}
