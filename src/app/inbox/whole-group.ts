import type {App} from '#app/app.ts';
import {askServer} from '#app/asking.ts';
import {confirm} from '#app/confirm.ts';
import {undoKey} from '#app/deeds.ts';
import type {Frame} from '#app/frame.ts';
import {type KeptUndo, takeBack} from '#app/kept-undo.ts';
import type {ListRow} from '#app/lists/list-row.ts';
import {listingOf} from '#app/lists/listing.ts';
import {seenRow, seenUnread} from '#app/seen.ts';
import {readingProblem} from '#app/verbs.ts';
import {markOldRead} from '#state/actions/mark-read.ts';
import type {ConversationKey} from '#state/model/conversation.ts';
import {channelNarrow, isNarrow, type Narrow} from '#state/model/narrow.ts';
import type {InboxGroupId} from '#state/selectors/inbox-index.ts';
import {channelName} from '#state/selectors/names.ts';
import {unreadIdsOf} from '#state/unreads/unread-ids.ts';
import {act} from './acting.ts';
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
function wholeOf(app: App): Whole | undefined {
  const {frame} = app;
  const at = seenRow(app, 'inbox');
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
    app.toast(problem ?? 'There is no row here.', 'warning');
    return;
  }
  const {name, narrow} = whole;
  const keys = whole.items.flatMap(({key}) => (seenUnread(app, [key]).length > 0 ? [key] : []));
  const ids = seenUnread(app, keys);
  const label = wholeLabel(name, ids, keys);
  const isDone = act(app, {verb: 'done', keys, actions: readAction(ids), label});
  if (!isDone) app.toast('Already read elsewhere.');
  if (narrow !== undefined) askAboutOld(app, name, narrow);
}

/** What was done: how much, and in how many conversations. */
export function wholeLabel(name: string, ids: readonly number[], keys: readonly ConversationKey[]): string {
  const count = keys.length === 1 ? '1 conversation' : `${keys.length} conversations`;
  return `Marked ${name} read (${ids.length} in ${count})`;
}

/**
 * The server left out the oldest unread messages, which nobody here can name: it is asked to mark those read as well. Not
 * where something known is still unread, because it is filtered out or put off: that would go along.
 */
export function askAboutOld(app: App, name: string, narrow: Narrow): void {
  const upTo = app.frames.current.account.maxMessageId;
  const {unreads} = app.state;
  if (!unreads.oldMissing || unreadIdsOf(app.state, narrow).some((id) => id <= upTo)) return;
  confirm(app, {
    title: `The server may have older unread messages: ${name}`,
    yes: 'Mark those read too',
    onYes: (asked) => markOld(asked, name, narrow, upTo),
  });
}

function markOld(app: App, name: string, narrow: Narrow, upTo: number): void {
  const {context, deeds} = app.session;
  askServer(app, {
    doing: `Marking what is older read: ${name}…`,
    ask: () => markOldRead(context, deeds, narrow, upTo),
    done: ({count, inverse}) => {
      if (count === 0) return `Nothing older is unread: ${name}`;
      const label = `Marked what is older read: ${name} (${count})`;
      if (inverse === undefined) return `${label} · cannot be undone`;
      const kept: KeptUndo = {label, at: app.clock.now(), keys: [], steps: [{kind: 'deed', inverse}]};
      app.undoStack.push({label, kept, undo: () => takeBack(app, kept)});
      return `${label} · ${undoKey(app)} undo`;
    },
    failed: 'Not all of it was marked read',
  });
}
