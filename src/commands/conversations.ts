import {closeOverlaysAndFilter} from '#app/composer/return-point.ts';
import type {App} from '#app/core/app.ts';
import {markInboxRowsDone, toggleInboxRowsFollowed, toggleInboxRowsMuted} from '#app/inbox/triage-actions.ts';
import {goBack, openConversation, openNarrow, openView, openVisit} from '#app/navigation/navigation.ts';
import {ignoreFailure} from '#app/requests/ignore-failure.ts';
import {actionTargets, currentChannelId, currentConversation} from '#app/targets/action-target.ts';
import {
  askToDeleteTopic,
  deleteTopicProblem,
  noTopicProblem,
  openTopicVisibility,
  resolveProblem,
  toggleResolved,
} from '#app/topics/topic-actions.ts';
import {hasUnreadTarget, markTargetsDone} from '#app/triage/mark-done.ts';
import {askToMarkAllRead, flagViewProblem, openFlagMenu} from '#app/triage/mark-group-done.ts';
import {followProblem, muteProblem, toggleFollowed, toggleMuted} from '#app/triage/mute-and-follow.ts';
import {lastOtherConversation, neighbourConversation} from '#app/triage/unread-walk.ts';
import {redoLatest, undoLatest} from '#app/undo/undo.ts';
import {channelNarrow} from '#state/model/narrow.ts';
import {channelSections} from '#state/selectors/lists/channel-sections.ts';
import {changeProblem, markReadProblem} from '#ui/core/change-problem.ts';
import {shownConversation, viewChannelId} from '#ui/core/frame.ts';
import {inboxList} from '#ui/inbox/inbox-list.ts';
import {focusedList} from '#ui/list-table.ts';
import {selectedMessage} from '#ui/message-pane/selected-message.ts';
import {noChannel} from './channels.ts';
import {type Command, command, type HintRanks, inConversationLists} from './command.ts';
import {cannotMarkDone} from './lists.ts';

/** Switches from a topic to its channel feed, or from any other view to the selected conversation; keeps the selected message. */
function toggleView(app: App): void {
  const shown = shownConversation(app.screen);
  const anchor = selectedMessage(app)?.id;
  if (focusedList(app.screen) === undefined && shown?.kind === 'topic') {
    openNarrow(app, channelNarrow(shown.channelId), {anchor});
    return;
  }
  const [target] = actionTargets(app);
  const conversation = target?.kind === 'conversation' ? target.conversation : currentConversation(app);
  if (conversation !== undefined && conversation !== shown) openConversation(app, conversation, {anchor});
  else app.toast('No other view of this');
}

function showTopics(app: App): void {
  const channelId = currentChannelId(app);
  if (app.screen.view.kind === 'topics' && goBack(app)) return;
  if (channelId !== undefined) openView(app, {kind: 'topics', channelId});
}

/** Opens the next or previous channel in the order of the channel list, and wraps around at its ends. */
function cycleChannel(app: App, step: 1 | -1): void {
  const ids = channelSections(app.state).flatMap(({channels}) => channels.map(({channelId}) => channelId));
  const current = ids.indexOf(viewChannelId(app.screen.view) ?? -1);
  const from = current < 0 && step < 0 ? 0 : current;
  const next = ids[(from + step + ids.length) % ids.length];
  if (next === undefined)
    app.toast({
      text: 'You are not subscribed to any channel',
      offer: {label: 'lists all channels', commands: ['view.channels']},
    });
  else openNarrow(app, channelNarrow(next));
}

function goToNeighbour(app: App, step: 1 | -1): void {
  const channelId = viewChannelId(app.screen.view);
  const areTopicsKnown = channelId === undefined || app.state.topics.get(channelId)?.complete === true;
  if (!areTopicsKnown) ignoreFailure(app.session.fetchTopics(channelId));
  const next = neighbourConversation(app.frame, step);
  if (next === undefined)
    app.toast(step > 0 ? 'No next conversation in the list' : 'No previous conversation in the list');
  else openConversation(app, next);
}

function goToLast(app: App): void {
  const last = lastOtherConversation(app);
  if (last === undefined) {
    app.toast('No previous conversation yet');
    return;
  }
  closeOverlaysAndFilter(app);
  openVisit(app, last);
}

/** Returns a command that runs `inInbox` in the inbox, where actions also move on and are counted, and `elsewhere` otherwise. */
function inInboxOr(inInbox: (app: App) => void, elsewhere: (app: App) => void): (app: App) => void {
  return (app) => (focusedList(app.screen) === inboxList ? inInbox(app) : elsewhere(app));
}

/** Returns the hints of undo, or of redo, whose ranks follow those of undo. */
function reversalHints(after: 0 | 0.5): HintRanks {
  return {
    list: 7 + after,
    inbox: 7 + after,
    'inbox group': 3 + after,
    'inbox done': 1 + after,
    'inbox nothing': 4 + after,
    drafts: 6 + after,
    'drafts reminders': 4 + after,
    ...inConversationLists(10 + after),
  };
}

export const conversationCommands: readonly Command[] = [
  command('view.toggle', 'Switch between topic and channel feed', toggleView, {
    aliases: ['toggle view', 'whole channel', 'narrow'],
    hint: 'channel feed',
  }),
  command('view.topics', 'Topics of this channel', showTopics, {
    aliases: ['topic list', 'list topics', 'all topics', 'threads'],
    hint: 'topics',
    disabledReason: noChannel,
  }),
  {id: 'channel.prev', title: 'Previous channel', contexts: ['nav'], run: (app) => cycleChannel(app, -1)},
  {id: 'channel.next', title: 'Next channel', contexts: ['nav'], run: (app) => cycleChannel(app, 1)},
  command('conv.prev', 'Previous conversation in the list', (app) => goToNeighbour(app, -1)),
  command('conv.next', 'Next conversation in the list', (app) => goToNeighbour(app, 1), {hint: 'next'}),
  command('go.last', 'Switch to the last conversation', goToLast, {
    aliases: ['previous conversation', 'last conversation', 'toggle conversation'],
    contexts: ['global'],
  }),
  command('conv.done', 'Mark conversation read and go to the next', inInboxOr(markInboxRowsDone, markTargetsDone), {
    isChange: true,
    aliases: ['done', 'mark read', 'mark as read', 'mark topic read', 'archive'],
    hint: 'done',
    hints: {msgs: 3, list: 2, inbox: 1, ...inConversationLists(2)},
    actsOnSelection: 'all',
    isAboutRow: true,
    disabledReason: cannotMarkDone,
    hasEffect: hasUnreadTarget,
  }),
  command('topic.mute', 'Mute / unmute topic or channel', inInboxOr(toggleInboxRowsMuted, toggleMuted), {
    aliases: ['mute', 'unmute', 'silence', 'ignore'],
    hint: 'mute',
    mutedHint: 'unmute',
    hints: {
      list: 3,
      inbox: 6,
      'inbox direct': false,
      'inbox one-direct': false,
      'inbox channels': 5,
      'inbox topics': 5,
      'inbox recent': 5,
    },
    actsOnSelection: 'all',
    isAboutRow: true,
    disabledReason: muteProblem,
  }),
  command('topic.follow', 'Follow / unfollow topic', inInboxOr(toggleInboxRowsFollowed, toggleFollowed), {
    aliases: ['follow', 'unfollow', 'watch'],
    hint: 'follow',
    hints: {list: 4, 'inbox topics': 6, 'inbox recent': 6},
    actsOnSelection: 'all',
    isAboutRow: true,
    disabledReason: followProblem,
  }),
  command('undo', 'Undo', undoLatest, {
    aliases: ['revert', 'take back'],
    contexts: ['nav', 'composer'],
    hint: 'undo',
    hints: {...reversalHints(0), 'inbox done': [1, 'undo last']},
    hasEffect: ({frame}) => frame.canUndo,
  }),
  command('redo', 'Redo', redoLatest, {
    aliases: ['do again', 'repeat'],
    contexts: ['nav', 'composer'],
    hint: 'redo',
    hints: reversalHints(0.5),
    hasEffect: ({frame}) => frame.canRedo,
  }),
];

/** Commands about whole topics, and about all messages of a view. */
export const topicCommands: readonly Command[] = [
  command('topic.visibility', 'Topic visibility: muted, default, unmuted or followed', openTopicVisibility, {
    aliases: ['mute topic', 'unmute topic', 'follow topic', 'topic notifications', 'topic level'],
    messageMenu: {group: 'change', position: 5, isHiddenWhenDisabled: true},
    actsOnSelection: 'one organization',
    isAboutRow: true,
    disabledReason: (app) => changeProblem(app) ?? noTopicProblem(app),
  }),
  command('topic.resolve', 'Resolve / unresolve topic', toggleResolved, {
    aliases: ['resolve', 'unresolve', 'close topic', 'reopen topic'],
    messageMenu: {group: 'change', position: 3},
    actsOnSelection: 'one organization',
    isAboutRow: true,
    disabledReason: (app) => changeProblem(app) ?? resolveProblem(app),
  }),
  command('topic.delete', 'Delete topic', askToDeleteTopic, {
    aliases: ['remove topic', 'delete all messages of topic', 'delete conversation'],
    messageMenu: {group: 'change', position: 6, isHiddenWhenDisabled: true},
    actsOnSelection: 'one organization',
    isAboutRow: true,
    disabledReason: (app) => changeProblem(app) ?? deleteTopicProblem(app),
  }),
  command('mark.all.read', 'Mark all as read', askToMarkAllRead, {
    aliases: ['mark all read', 'mark everything read', 'clear all', 'read all', 'catch up'],
    disabledReason: (app) => markReadProblem(app) ?? changeProblem(app),
  }),
  command('view.mark', 'Mark all messages of this view: read, unread, starred', openFlagMenu, {
    aliases: ['mark search results read', 'star all', 'unstar all', 'mark view read', 'mark all unread'],
    disabledReason: flagViewProblem,
  }),
];
