import type {Frame} from '#app/core/frame.ts';
import {memoByFrame} from '#app/core/memo-by-frame.ts';
import {excerpt} from '#app/format/excerpt.ts';
import {messageContext} from '#app/format/message-context.ts';
import {columnsLine, fittedLine, type LineColumn, type UiLine, type UiSpan} from '#app/layout/ui-line.ts';
import type {ParseContext} from '#content/parse-context.ts';
import {prefixLine, spansColumns} from '#content/styled-text/wrap.ts';
import type {Channel} from '#state/model/channel.ts';
import {sortedByName} from '#state/selectors/names/compare-names.ts';
import {isSubscribed} from '#state/selectors/permissions/channel-permissions.ts';
import type {AccountState} from '#state/state.ts';
import {type ListRow, RowCache} from './list-row.ts';
import {type ListSource, type RowContext, withSpaceBelow} from './list-source.ts';

/** A channel in the browser of all channels. */
interface ChannelRow extends ListRow {
  readonly isSubscribed: boolean;
  readonly description: string;
  /** Resolves mentions in the description. */
  readonly names: ParseContext;
  readonly isPrivate: boolean;
  /** Columns of the longest channel name. */
  readonly maxNameWidth: number;
  /** Number of subscribers; undefined where the server does not report it. */
  readonly people: number | undefined;
  /** Messages per week; undefined for a channel that is too new. */
  readonly traffic: number | undefined;
}

const rowCache = new RowCache<ChannelRow>();

/** The list of all channels that the user may see. */
export const channelBrowser: ListSource<ChannelRow> = {
  rows: memoByFrame(
    ({account}) => [account.channels, account.subscriptions, account.subscribers, messageContext(account)],
    ({account}) => rowCache.reuse(browserRows(account)),
  ),
  line: channelLine,
  headLines: (frame, columns) => withSpaceBelow(frame, [summaryLine(frame, columns)]),
  emptyText: () => 'No channels yet. n creates one.',
};

function browserRows(account: AccountState): readonly ChannelRow[] {
  const open = [...account.channels.values()].filter(({isArchived}) => isArchived !== true);
  const maxNameWidth = Math.max(...open.map((channel) => spansColumns(nameSpans(channel))));
  return sortedByName(open, ({name}) => name).map((channel) => channelRow(account, channel, maxNameWidth));
}

function nameSpans({name, isPrivate}: Pick<Channel, 'name' | 'isPrivate'>): readonly UiSpan[] {
  return [{text: `#${name}`, role: 'text'}, ...privacy({isPrivate})];
}

function channelRow(account: AccountState, channel: Channel, maxNameWidth: number): ChannelRow {
  const {id, name, description, isPrivate, subscriberCount, streamWeeklyTraffic} = channel;
  const known = account.subscribers.get(id);
  return {
    key: `channel ${id}`,
    kind: 'item',
    label: `#${name}`,
    target: {kind: 'channel', channelId: id},
    isSubscribed: isSubscribed(account, id),
    description,
    names: messageContext(account),
    maxNameWidth,
    isPrivate,
    people: subscriberCount ?? (known?.complete === true ? known.ids.size : undefined),
    traffic: streamWeeklyTraffic ?? undefined,
  };
}

const maxNameColumns = 28;
const peopleColumns = 11;
const trafficColumns = 9;

function channelLine(row: ChannelRow, {columns, glyphs, label}: RowContext): UiLine {
  const mark: UiSpan = {
    text: `${row.isSubscribed ? glyphs.resolved : ' '} `,
    role: row.isSubscribed ? 'success' : 'text',
  };
  const isNarrow = columns < 48;
  const nameColumns = isNarrow ? columns - 2 : Math.min(row.maxNameWidth, maxNameColumns, Math.floor(columns * 0.36));
  const name = fittedLine([...label(row.isSubscribed ? 'text' : 'dim'), ...privacy(row)], nameColumns, glyphs.ellipsis);
  if (isNarrow) return prefixLine(name, [mark]);
  const pad: UiSpan = {text: ' '.repeat(nameColumns - name.width + 1), role: 'text'};
  const lead = [mark, ...name.spans, pad];
  const rest = columnsLine(tailColumns(row, columns), columns - spansColumns(lead), {
    gap: 2,
    ellipsis: glyphs.ellipsis,
  });
  return prefixLine(rest, lead);
}

function privacy({isPrivate}: Pick<ChannelRow, 'isPrivate'>): readonly UiSpan[] {
  return isPrivate ? [{text: ' private', role: 'dim'}] : [];
}

function tailColumns({description, names, people, traffic}: ChannelRow, columns: number): readonly LineColumn[] {
  const cells: LineColumn[] = [{text: excerpt(description, names), role: 'dim', width: 'rest'}];
  const peopleText = people === undefined ? '' : people === 1 ? '1 person' : `${people} people`;
  cells.push({text: peopleText, role: 'dim', width: peopleColumns, align: 'right'});
  if (columns >= 76) {
    const text = traffic === undefined ? '' : `${traffic}/week`;
    cells.push({text, role: 'dim', width: trafficColumns, align: 'right'});
  }
  return cells;
}

function summaryLine(frame: Frame, columns: number): UiLine {
  const rows = channelBrowser.rows(frame);
  const subscribedCount = rows.filter((row) => row.isSubscribed).length;
  return fittedLine([{text: `  ${rows.length} channels, subscribed to ${subscribedCount}`, role: 'section'}], columns);
}
