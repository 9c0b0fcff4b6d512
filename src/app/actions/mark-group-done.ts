import type {App} from '#app/core/app.ts';
import type {ListId} from '#app/core/screen-state.ts';
import {wholeLabel} from '#app/inbox/actions/mark-inbox-group-done.ts';
import {act, noteNothing} from '#app/inbox/actions/perform-row-action.ts';
import {readAction} from '#app/inbox/actions/triage-actions.ts';
import {doAndGoOn} from '#app/lists/act-and-advance.ts';
import type {ListRow} from '#app/lists/list-row.ts';
import {listSources} from '#app/lists/list-sources.ts';
import type {ConversationKey} from '#state/model/conversation.ts';
import {channelNarrow, isNarrow, type Narrow} from '#state/model/narrow.ts';
import {channelName} from '#state/selectors/names/names.ts';
import {rowSubjects, type Subject} from './action-target.ts';
import {unreadKeys} from './mark-done.ts';
import {askAboutOld} from './mark-older-read.ts';
import {meantFrame, seenRow, seenUnread} from './painted-frame.ts';

interface Whole {
  readonly keys: readonly ConversationKey[];
  /** For people. */
  readonly name: string;
  /** What the server calls it; undefined where it has no word for it. */
  readonly narrow: Narrow | undefined;
}

/** Done with the whole channel of a row, with all direct messages on one of them, or with the group of a title. */
export function finishWhole(app: App, id: ListId): void {
  const row = seenRow(app, id);
  const whole = row === undefined ? undefined : wholeOf(app, id, row);
  if (whole === undefined) {
    app.toast('No conversation is selected', 'warning');
    return;
  }
  const {name, narrow} = whole;
  const ids = seenUnread(app, whole.keys);
  const {byId} = app.state.unreads;
  const keys = [...new Set(ids.flatMap((one) => byId.get(one) ?? []))];
  const label = wholeLabel(name, ids, keys);
  const finishAll = () => {
    act(app, {verb: 'done', keys, actions: readAction(ids), label, stays: true});
    if (ids.length > 0) return;
    noteNothing(app, row === undefined ? [] : [row.key], name);
    app.toast('Nothing is unread there.');
  };
  doAndGoOn(app, id, finishAll, 'cursor');
  if (narrow !== undefined) askAboutOld(app, name, narrow);
}

function wholeOf(app: App, id: ListId, row: ListRow): Whole | undefined {
  if (row.kind === 'title') {
    const frame = meantFrame(app, id);
    const subjects = listSources[id]
      .rows(frame)
      .flatMap((one) => (one.group === row.group ? rowSubjects(frame.account, one) : []));
    return {keys: keysOf(app, subjects), name: `everything in ${row.label}`, narrow: undefined};
  }
  const [subject] = rowSubjects(app.state, row);
  if (subject === undefined) return undefined;
  if (subject.kind === 'channel') return wholeChannel(app, subject.channelId);
  const {conversation} = subject;
  return conversation.kind === 'topic' ? wholeChannel(app, conversation.channelId) : allDirects(app);
}

function keysOf(app: App, subjects: readonly Subject[]): readonly ConversationKey[] {
  return [...new Set(subjects.flatMap((subject) => unreadKeys(app, subject)))];
}

function wholeChannel(app: App, channelId: number): Whole {
  return {
    keys: keysOf(app, [{kind: 'channel', channelId}]),
    name: `#${channelName(app.state, channelId)}`,
    narrow: channelNarrow(channelId),
  };
}

function allDirects({state}: App): Whole {
  const {conversations} = state.unreads;
  const directs = [...conversations.values()].filter(({conversation}) => conversation.kind === 'direct');
  return {keys: directs.map(({key}) => key), name: 'all direct messages', narrow: isNarrow('dm')};
}
