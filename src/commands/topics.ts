import {flagViewProblem, openFlagMenu} from '#ui/actions/flag-view.ts';
import {askToMarkAllRead} from '#ui/actions/mark-all-read.ts';
import {markReadProblem} from '#ui/actions/mute-and-follow.ts';
import {changeProblem} from '#ui/actions/server-request.ts';
import {resolveProblem, toggleResolved} from '#ui/message-actions/resolve-topic.ts';
import {askToDeleteTopic, deleteTopicProblem} from '#ui/topics/delete-topic.ts';
import {noTopicProblem} from '#ui/topics/target-topics.ts';
import {openTopicVisibility} from '#ui/topics/topic-visibility.ts';
import type {Command} from './command.ts';

/** Commands about whole topics, and about all messages of a view. */
export const topicCommands: readonly Command[] = [
  {
    id: 'topic.visibility',
    title: 'Topic visibility: muted, default, unmuted or followed',
    aliases: ['mute topic', 'unmute topic', 'follow topic', 'topic notifications', 'topic level'],
    contexts: ['nav'],
    messageMenu: {group: 'change', position: 5, isHiddenWhenDisabled: true},
    isAboutRow: true,
    disabledReason: (app) => changeProblem(app) ?? noTopicProblem(app),
    run: openTopicVisibility,
  },
  {
    id: 'topic.resolve',
    title: 'Resolve / unresolve topic',
    aliases: ['resolve', 'unresolve', 'close topic', 'reopen topic'],
    contexts: ['nav'],
    messageMenu: {group: 'change', position: 3},
    isAboutRow: true,
    disabledReason: (app) => changeProblem(app) ?? resolveProblem(app),
    run: toggleResolved,
  },
  {
    id: 'topic.delete',
    title: 'Delete topic',
    aliases: ['remove topic', 'delete all messages of topic', 'delete conversation'],
    contexts: ['nav'],
    messageMenu: {group: 'change', position: 6, isHiddenWhenDisabled: true},
    isAboutRow: true,
    disabledReason: (app) => changeProblem(app) ?? deleteTopicProblem(app),
    run: askToDeleteTopic,
  },
  {
    id: 'mark.all.read',
    title: 'Mark all as read',
    aliases: ['mark all read', 'mark everything read', 'clear all', 'read all', 'catch up'],
    contexts: ['nav'],
    disabledReason: (app) => markReadProblem(app) ?? changeProblem(app),
    run: askToMarkAllRead,
  },
  {
    id: 'view.mark',
    title: 'Mark all messages of this view: read, unread, starred',
    aliases: ['mark search results read', 'star all', 'unstar all', 'mark view read', 'mark all unread'],
    contexts: ['nav'],
    disabledReason: flagViewProblem,
    run: openFlagMenu,
  },
];
