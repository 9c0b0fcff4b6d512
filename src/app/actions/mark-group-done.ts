import type {App} from '#app/core/app.ts';
import type {ListId} from '#app/core/screen-state.ts';
import {markedReadLabel} from '#app/inbox/actions/mark-inbox-group-done.ts';
import {performRowAction, pushNoOpUndo} from '#app/inbox/actions/perform-row-action.ts';
import {markReadActions} from '#app/inbox/actions/triage-actions.ts';
import {actAndAdvance} from '#app/lists/act-and-advance.ts';
import type {ListRow} from '#app/lists/list-row.ts';
import {listSources} from '#app/lists/list-sources.ts';
import type {ConversationKey} from '#state/model/conversation.ts';
import {channelNarrow, type Narrow, narrowIs} from '#state/model/narrow.ts';
import {channelName} from '#state/selectors/names/names.ts';
import {type ActionTarget, targetsOfRow} from './action-target.ts';
import {unreadConversationKeys} from './mark-done.ts';
import {offerToMarkOlderRead} from './mark-older-read.ts';
import {frameThatKeyRefersTo, paintedUnreadIds, rowThatKeyRefersTo} from './painted-frame.ts';

interface RowGroup {
  readonly keys: readonly ConversationKey[];
  /** For people. */
  readonly name: string;
  /** What the server calls it; undefined where it has no word for it. */
  readonly narrow: Narrow | undefined;
}

/** Done with the whole channel of a row, with all direct messages on one of them, or with the group of a title. */
export function markWholeGroupDone(app: App, id: ListId): void {
  const row = rowThatKeyRefersTo(app, id);
  const whole = row === undefined ? undefined : groupOfRow(app, id, row);
  if (whole === undefined) {
    app.toast('No conversation is selected', 'warning');
    return;
  }
  const {name, narrow} = whole;
  const ids = paintedUnreadIds(app, whole.keys);
  const {byId} = app.state.unreads;
  const keys = [...new Set(ids.flatMap((one) => byId.get(one) ?? []))];
  const label = markedReadLabel(name, ids, keys);
  const finishAll = () => {
    performRowAction(app, {actionKind: 'done', keys, actions: markReadActions(ids), label, stays: true});
    if (ids.length > 0) return;
    pushNoOpUndo(app, row === undefined ? [] : [row.key], name);
    app.toast('Nothing is unread there.');
  };
  actAndAdvance(app, id, finishAll, 'cursor');
  if (narrow !== undefined) offerToMarkOlderRead(app, name, narrow);
}

function groupOfRow(app: App, id: ListId, row: ListRow): RowGroup | undefined {
  if (row.kind === 'title') {
    const frame = frameThatKeyRefersTo(app, id);
    const subjects = listSources[id]
      .rows(frame)
      .flatMap((one) => (one.group === row.group ? targetsOfRow(frame.account, one) : []));
    return {keys: keysOf(app, subjects), name: `everything in ${row.label}`, narrow: undefined};
  }
  const [subject] = targetsOfRow(app.state, row);
  if (subject === undefined) return undefined;
  if (subject.kind === 'channel') return wholeChannelGroup(app, subject.channelId);
  const {conversation} = subject;
  return conversation.kind === 'topic' ? wholeChannelGroup(app, conversation.channelId) : directsGroup(app);
}

function keysOf(app: App, subjects: readonly ActionTarget[]): readonly ConversationKey[] {
  return [...new Set(subjects.flatMap((subject) => unreadConversationKeys(app, subject)))];
}

function wholeChannelGroup(app: App, channelId: number): RowGroup {
  return {
    keys: keysOf(app, [{kind: 'channel', channelId}]),
    name: `#${channelName(app.state, channelId)}`,
    narrow: channelNarrow(channelId),
  };
}

function directsGroup({state}: App): RowGroup {
  const {conversations} = state.unreads;
  const directs = [...conversations.values()].filter(({conversation}) => conversation.kind === 'direct');
  return {keys: directs.map(({key}) => key), name: 'all direct messages', narrow: narrowIs('dm')};
}
