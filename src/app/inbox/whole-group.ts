import type {App} from '#app/app.ts';
import {confirm} from '#app/confirm.ts';
import type {Frame} from '#app/frame.ts';
import type {ListRow} from '#app/lists/list-row.ts';
import {cursorRow, listingOf} from '#app/lists/listing.ts';
import {readingProblem} from '#app/verbs.ts';
import {markOldRead} from '#state/actions/mark-read.ts';
import {channelNarrow, isNarrow, type Narrow} from '#state/model/narrow.ts';
import type {InboxGroupId} from '#state/selectors/inbox-index.ts';
import {channelName} from '#state/selectors/names.ts';
import {act, seenUnread} from './acting.ts';
import {isTriageItem, type TriageItem, type TriageRow} from './triage-row.ts';
import {triageRows} from './triage-rows.ts';
import {readAction} from './verbs.ts';

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
function wholeOf(frame: Frame): Whole | undefined {
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

/** The whole channel or group is done. */
export function markWholeDone(app: App): void {
  const problem = readingProblem(app);
  const whole = wholeOf(app.frame);
  if (problem !== undefined || whole === undefined) {
    app.toast(problem ?? 'There is no row here.', 'warning');
    return;
  }
  const {items, name, narrow} = whole;
  const keys = items.map(({key}) => key);
  const ids = seenUnread(app, keys);
  const count = items.length === 1 ? '1 conversation' : `${items.length} conversations`;
  const label = `Marked ${name} read (${ids.length} in ${count})`;
  act(app, {verb: 'done', keys, actions: readAction(ids), label});
  if (narrow !== undefined && app.state.unreads.oldMissing) askAboutOld(app, name, narrow);
}

/** The server left out the oldest unread messages: nobody here can name them, and so nobody can undo marking them. */
function askAboutOld(app: App, name: string, narrow: Narrow): void {
  confirm(app, {
    title: `The server may have older unread messages: ${name}`,
    yes: 'Mark those read too',
    detail: 'cannot be undone',
    onYes: (asked) => {
      markOldRead(asked.session.context, narrow).catch((error: unknown) => {
        asked.toast(`Not done: ${error instanceof Error ? error.message : String(error)}`, 'error');
      });
    },
  });
}
