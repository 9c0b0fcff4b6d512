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
import type {ListSource, RowContext} from './list-source.ts';
import {withSpaceBelow} from './spaced.ts';

interface ChannelRow extends ListRow {
  readonly isSubscribed: boolean;
  readonly description: string;
  /** Whom it may name. */
  readonly names: ParseContext;
  readonly isPrivate: boolean;
  /** Columns that the longest name of all would take. */
  readonly widest: number;
  /** Undefined where the server does not say. */
  readonly people: number | undefined;
  /** Messages in a week; undefined for a channel too new to tell. */
  readonly traffic: number | undefined;
}

const keeper = new RowCache<ChannelRow>();

/** All channels that one may know of. */
export const channelBrowser: ListSource<ChannelRow> = {
  rows: memoByFrame(
    ({account}) => [account.channels, account.subscriptions, account.subscribers, messageContext(account)],
    ({account}) => keeper.reuse(browserRows(account)),
  ),
  line: channelLine,
  headLines: (frame, wide) => withSpaceBelow(frame, [summaryLine(frame, wide)]),
  emptyText: () => 'No channels yet. n makes one.',
};

function browserRows(account: AccountState): readonly ChannelRow[] {
  const open = [...account.channels.values()].filter(({isArchived}) => isArchived !== true);
  const widest = Math.max(...open.map((channel) => spansColumns(nameSpans(channel))));
  return sortedByName(open, ({name}) => name).map((channel) => channelRow(account, channel, widest));
}

function nameSpans({name, isPrivate}: Pick<Channel, 'name' | 'isPrivate'>): readonly UiSpan[] {
  return [{text: `#${name}`, role: 'text'}, ...privacy({isPrivate})];
}

function channelRow(account: AccountState, channel: Channel, widest: number): ChannelRow {
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
    widest,
    isPrivate,
    people: subscriberCount ?? (known?.complete === true ? known.ids.size : undefined),
    traffic: streamWeeklyTraffic ?? undefined,
  };
}

const mostNameColumns = 28;
const peopleColumns = 11;
const trafficColumns = 9;

function channelLine(shown: ChannelRow, {columns: wide, glyphs, label}: RowContext): UiLine {
  const mark: UiSpan = {
    text: `${shown.isSubscribed ? glyphs.resolved : ' '} `,
    role: shown.isSubscribed ? 'success' : 'text',
  };
  const isNarrow = wide < 48;
  const nameColumns = isNarrow ? wide - 2 : Math.min(shown.widest, mostNameColumns, Math.floor(wide * 0.36));
  const name = fittedLine(
    [...label(shown.isSubscribed ? 'text' : 'dim'), ...privacy(shown)],
    nameColumns,
    glyphs.ellipsis,
  );
  if (isNarrow) return prefixLine(name, [mark]);
  const pad: UiSpan = {text: ' '.repeat(nameColumns - name.width + 1), role: 'text'};
  const lead = [mark, ...name.spans, pad];
  const rest = columnsLine(tailColumns(shown, wide), wide - spansColumns(lead), {
    gap: 2,
    ellipsis: glyphs.ellipsis,
  });
  return prefixLine(rest, lead);
}

function privacy({isPrivate}: Pick<ChannelRow, 'isPrivate'>): readonly UiSpan[] {
  return isPrivate ? [{text: ' private', role: 'dim'}] : [];
}

function tailColumns({description, names, people, traffic}: ChannelRow, wide: number): readonly LineColumn[] {
  const cells: LineColumn[] = [{text: excerpt(description, names), role: 'dim', width: 'rest'}];
  const counted = people === undefined ? '' : people === 1 ? '1 person' : `${people} people`;
  cells.push({text: counted, role: 'dim', width: peopleColumns, align: 'right'});
  if (wide >= 76) {
    const text = traffic === undefined ? '' : `${traffic}/week`;
    cells.push({text, role: 'dim', width: trafficColumns, align: 'right'});
  }
  return cells;
}

function summaryLine(frame: Frame, wide: number): UiLine {
  const rows = channelBrowser.rows(frame);
  const own = rows.filter((shown) => shown.isSubscribed).length;
  return fittedLine([{text: `  ${rows.length} channels, subscribed to ${own}`, role: 'section'}], wide);
}
