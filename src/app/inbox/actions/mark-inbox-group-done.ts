import {askAboutOld} from '#app/actions/mark-older-read.ts';
import {readingProblem} from '#app/actions/mute-and-follow.ts';
import {meantFrame, seenUnread} from '#app/actions/painted-frame.ts';
import type {App} from '#app/core/app.ts';
import type {Frame} from '#app/core/frame.ts';
import {isTriageItem, type TriageItem, type TriageRow} from '#app/inbox/triage-row.ts';
import {triageRows} from '#app/inbox/triage-rows.ts';
import type {ListRow} from '#app/lists/list-row.ts';
import {cursorRow, listingOf} from '#app/lists/visible-rows.ts';
import type {ConversationKey} from '#state/model/conversation.ts';
import {channelNarrow, isNarrow, type Narrow} from '#state/model/narrow.ts';
import type {InboxGroupId} from '#state/selectors/inbox/inbox-index.ts';
import {channelName} from '#state/selectors/names/names.ts';
import {act, noteNothing} from './perform-row-action.ts';
import {readAction} from './triage-actions.ts';

interface Whole {
  readonly items: readonly TriageItem[];
  /** For people. */
  readonly name: string;
  /** What the server calls it; undefined where it has no word for it. */
  readonly narrow: Narrow | undefined;
}

const groupNames: Readonly<Record<InboxGroupId, string>> = {
  mentions: 'all mentions',
  direct: 'all direct messages',
  followed: 'all followed topics',
  pinned: 'all pinned channels',
  channels: 'all channels',
  muted: 'everything muted',
};

const groupNarrows: Readonly<Partial<Record<InboxGroupId, Narrow>>> = {
  mentions: isNarrow('mentioned'),
  direct: isNarrow('dm'),
  followed: isNarrow('followed'),
};

/** What the row under the cursor belongs to: of topics of a channel the channel, else its group; of a title its group. */
function wholeOf(app: App): Whole | undefined {
  const frame = meantFrame(app, 'inbox');
  const at = cursorRow(frame, 'inbox');
  const row = triageRows(frame).find(({key}) => key === at?.key);
  if (row === undefined) return undefined;
  const shown = shownItems(frame).filter(({inGroup}) => inGroup === row.inGroup);
  const channelId = channelOf(row);
  if (channelId === undefined) {
    return {items: shown, name: groupNames[row.inGroup], narrow: groupNarrows[row.inGroup]};
  }
  return {
    items: shown.filter((item) => channelOf(item) === channelId),
    name: `#${channelName(frame.account, channelId)}`,
    narrow: channelNarrow(channelId),
  };
}

/** Of a list that is filtered, only what the filter lets through. */
function shownItems(frame: Frame): readonly TriageItem[] {
  const isFiltered = frame.screen.lists.inbox.filter.text.trim() !== '';
  const rows: readonly ListRow[] = isFiltered ? listingOf(frame, 'inbox').rows : triageRows(frame);
  return rows.filter(isTriageItem);
}

function channelOf(row: TriageRow): number | undefined {
  if (row.kind === 'title' || row.conversation.kind !== 'topic') return undefined;
  const isByChannel = row.inGroup === 'pinned' || row.inGroup === 'channels' || row.inGroup === 'muted';
  return isByChannel ? row.conversation.channelId : undefined;
}

/** The whole channel or group is done: exactly what the last picture knew as unread there. */
export function markWholeDone(app: App): void {
  const problem = readingProblem(app);
  const whole = wholeOf(app);
  if (problem !== undefined || whole === undefined) {
    app.toast(problem ?? 'No row is selected', 'warning');
    return;
  }
  const {name, narrow} = whole;
  const rows = whole.items.map(({key}) => key);
  const ids = seenUnread(app, rows);
  const keys = keysOf(app, rows, ids);
  const label = wholeLabel(name, ids, keys);
  act(app, {verb: 'done', keys, actions: readAction(ids), label, keepsSelected: true});
  if (ids.length === 0) {
    noteNothing(app, [], name);
    app.toast('Already read elsewhere.');
  }
  if (narrow !== undefined) askAboutOld(app, name, narrow);
}

/** Those rows that some of these messages are in. */
function keysOf(
  {state, screen}: App,
  rows: readonly ConversationKey[],
  ids: readonly number[],
): readonly ConversationKey[] {
  const places = new Set(ids.map((id) => state.unreads.byId.get(id)));
  return rows.filter((key) => places.has(screen.inbox.order.nameNow(key)));
}

/** What was done: how much, and in how many conversations. */
export function wholeLabel(name: string, ids: readonly number[], keys: readonly ConversationKey[]): string {
  const count = keys.length === 1 ? '1 conversation' : `${keys.length} conversations`;
  return `Marked ${name} read (${ids.length} in ${count})`;
}
